package soft

import (
	"fmt"
	"runtime/debug"
	"strconv"

	"gpureactor/port"
)

// A launchTask runs a kernel.
type launchTask struct {
	kernel *kernel
	call   port.KernelCall
	held   []*buffer
}

func (t *launchTask) heavy() bool { return true }

// run contains what the kernel does: its error, a panic, or the end of the
// goroutine under it, after which nothing here returns and the stream's drive
// finds out by itself.
func (t *launchTask) run() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return t.kernel.run(t.call)
}

func (t *launchTask) settle(ran bool) {
	if ran {
		t.kernel.module.dev.counters.kernels.Add(1)
	}
	for _, b := range t.held {
		b.letGo()
	}
}

// String names the launch for errors.
func (t *launchTask) String() string {
	return "kernel " + t.kernel.name + " of " + t.kernel.module.String()
}

// hold checks the launch's arguments and holds their buffers, all or none.
func (t *launchTask) hold(d *Device, args []port.Arg) error {
	t.call.Args = append([]port.Arg(nil), args...)
	t.call.Memory = make([][]byte, len(args))
	for i, a := range args {
		if err := t.holdArg(d, i, a); err != nil {
			t.settle(false)
			return err
		}
	}
	return nil
}

func (t *launchTask) holdArg(d *Device, i int, a port.Arg) error {
	switch a.Kind() {
	case port.ArgBuffer:
	case port.ArgInt32, port.ArgUint32, port.ArgInt64, port.ArgUint64, port.ArgFloat32, port.ArgFloat64:
		return nil
	default:
		return port.NewError(port.InvalidProgram, "launch of "+t.String(),
			"argument "+strconv.Itoa(i)+" is the zero Arg: want one made by BufferArg, Int32Arg and so on")
	}
	b, offset := a.Buffer()
	own, err := d.own(b)
	if err != nil {
		return err
	}
	if err := checkRange(own, offset, own.size-max(offset, 0)); err != nil {
		return err
	}
	mem, err := own.hold()
	if err != nil {
		return err
	}
	t.held = append(t.held, own)
	t.call.Memory[i] = mem[offset:len(mem):len(mem)]
	return nil
}

// ownKernel returns k as a kernel of this device.
func (d *Device) ownKernel(k port.Kernel) (*kernel, error) {
	own, ok := k.(*kernel)
	switch {
	case k == nil || (ok && own == nil):
		return nil, port.NewError(port.InvalidProgram, "launch on "+d.name, "Kernel is nil: want one of a module")
	case !ok:
		return nil, port.NewError(port.Foreign, "kernel", fmt.Sprintf("another backend (%T)", k), d.name)
	case own.module.dev != d:
		return nil, port.NewError(port.Foreign, "kernel "+own.name, own.module.dev.name, d.name)
	}
	return own, own.module.usable()
}

// newLaunch checks a launch and holds its buffers.
func (d *Device) newLaunch(l port.Launch) (*launchTask, error) {
	k, err := d.ownKernel(l.Kernel)
	if err != nil {
		return nil, err
	}
	t := &launchTask{kernel: k}
	t.call.Grid, t.call.Block = atLeastOne(l.Grid), atLeastOne(l.Block)
	if err := t.hold(d, l.Args); err != nil {
		return nil, err
	}
	return t, nil
}

func atLeastOne(size [3]uint32) [3]uint32 {
	for i := range size {
		size[i] = max(size[i], 1)
	}
	return size
}
