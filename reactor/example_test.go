package reactor_test

import (
	"context"
	"fmt"
	"time"

	"gpureactor/backends/soft"
	"gpureactor/hosts/std"
	"gpureactor/port"
	"gpureactor/reactor"
	"gpureactor/waitplan"
)

// A service that embeds the reactor makes the parts itself.
func Example() {
	device, err := soft.Open(soft.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer device.Close()
	host := std.New(std.Config{})
	defer host.Close()
	plan, err := waitplan.Parse("flag:park_us=100,backstop_us=1000")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := reactor.New(reactor.Config{Host: host, Plans: waitplan.One(plan)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()

	source, _ := device.NewStream()
	stream, _ := r.Register(source)
	source.(port.Delayer).Delay(time.Millisecond) // the work
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	report, err := stream.Await(ctx, "example/await")
	fmt.Println(report.Kind != 0, err) // a wait that succeeded says how it ended
	// Output: true <nil>
}

// A future is followed without a goroutine that waits.
func ExampleFuture_OnDone() {
	device, _ := soft.Open(soft.Config{})
	defer device.Close()
	host := std.New(std.Config{})
	defer host.Close()
	plan, _ := waitplan.Parse("poll")
	r, _ := reactor.New(reactor.Config{Host: host, Plans: waitplan.One(plan)})
	defer r.Close()
	source, _ := device.NewStream()
	stream, _ := r.Register(source)
	future, _ := stream.Submit("example/ondone")
	ended := make(chan error, 1) // with room: the function must not block
	future.OnDone(func(f *reactor.Future) { ended <- f.Err() })
	fmt.Println("ended:", <-ended)
	// Output: ended: <nil>
}
