package soft_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gpureactor/backends/soft"
	"gpureactor/port"
	"gpureactor/port/manual"
)

// A stepped device on a virtual clock: the store lands when the clock comes to
// the end of the work.
func Example() {
	clock := new(manual.Clock)
	dev, err := soft.Open(soft.Config{Alarm: clock})
	if err != nil {
		panic(err)
	}
	defer dev.Close()
	stream, _ := dev.NewStream()
	stream.(port.Delayer).Delay(time.Millisecond)
	ticket, _ := stream.Mark()

	clock.Advance(999 * time.Microsecond)
	fmt.Println(ticket.Reached())
	clock.Advance(time.Microsecond)
	fmt.Println(ticket.Reached())
	// Output:
	// false
	// true
}

// A Go kernel on a live device, with its result copied out.
func Example_kernel() {
	dev, err := soft.Open(soft.Config{})
	if err != nil {
		panic(err)
	}
	defer dev.Close()
	module, _ := dev.Load(port.Program{Name: "demo", Go: map[string]port.GoKernel{
		"double": func(c port.KernelCall) error {
			for i := range c.Memory[0] {
				c.Memory[0][i] *= 2
			}
			return nil
		},
	}})
	double, _ := module.Kernel("double")
	buf, _ := dev.Alloc(3)
	stream, _ := dev.NewStream()

	got := make([]byte, 3)
	stream.CopyIn(buf, 0, []byte{1, 2, 3})
	stream.Launch(port.Launch{Kernel: double, Args: []port.Arg{port.BufferArg(buf, 0)}})
	stream.CopyOut(got, buf, 0)
	ticket, _ := stream.Mark()
	fmt.Println(stream.Block(context.Background(), ticket))
	stream.Retire(ticket.Target(), nil) // a reactor does this for its waiters
	fmt.Println(got)
	// Output:
	// <nil>
	// [2 4 6]
}

// The fault script: the device is lost after a millisecond.
func ExampleFault() {
	clock := new(manual.Clock)
	dev, err := soft.Open(soft.Config{Alarm: clock, Script: []soft.Fault{
		{Kind: soft.DeviceLost, After: time.Millisecond},
	}})
	if err != nil {
		panic(err)
	}
	defer dev.Close()
	stream, _ := dev.NewStream()
	clock.Advance(time.Millisecond)
	_, err = stream.Mark()
	fmt.Println(errors.Is(err, port.ErrDeviceLost))
	var e *port.Error
	if errors.As(err, &e) {
		fmt.Println(e.Driver.Status, e.Driver.Name)
	}
	// Output:
	// true
	// 701 SOFT_ERROR_DEVICE_LOST
}
