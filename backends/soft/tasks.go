package soft

import (
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"

	"gpureactor/port"
)

// heavyBytes is the most that a fill or a copy moves on somebody else's
// goroutine: a few hundred nanoseconds.
const heavyBytes = 4096

// A fillTask sets memory.
type fillTask struct {
	buf   *buffer
	dst   []byte
	value byte
}

func (t *fillTask) heavy() bool { return len(t.dst) > heavyBytes }

func (t *fillTask) run() error {
	fill(t.dst, t.value)
	return nil
}

func (t *fillTask) settle(ran bool) { t.buf.landed(&t.buf.dev.counters.fills, len(t.dst), ran) }

// A copyInTask moves host bytes, which it owns, into memory.
type copyInTask struct {
	buf *buffer
	dst []byte
	src []byte
}

func (t *copyInTask) heavy() bool { return len(t.dst) > heavyBytes }

func (t *copyInTask) run() error {
	copy(t.dst, t.src)
	return nil
}

func (t *copyInTask) settle(ran bool) { t.buf.landed(&t.buf.dev.counters.copiesIn, len(t.dst), ran) }

// A copyOutTask moves memory into a staging buffer, and Retire that to where the
// caller wants it: dst is written by the goroutine that retires, never by the
// device, so that a wait which failed or was cancelled has no late writer.
type copyOutTask struct {
	buf    *buffer
	src    []byte
	staged []byte
	dst    []byte
	// mark is the number of the first mark behind the copy.
	mark uint64
	// done says that staged holds the bytes. The stream's mutex guards it.
	done bool
}

func (t *copyOutTask) heavy() bool { return len(t.src) > heavyBytes }

func (t *copyOutTask) run() error {
	copy(t.staged, t.src)
	return nil
}

func (t *copyOutTask) settle(ran bool) {
	t.done = ran
	t.buf.landed(&t.buf.dev.counters.copiesOut, len(t.src), ran)
	t.src = nil
}

// landed counts work of n bytes if it ran, and lets go of its buffer.
func (b *buffer) landed(what *count, n int, ran bool) {
	if ran {
		what.Add(1)
		b.dev.counters.bytes.Add(int64(n))
	}
	b.letGo()
}

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

// kernelError returns the sticky error of a device whose kernel failed.
func (d *Device) kernelError(t task, cause error) *port.Error {
	how := strings.TrimSpace(fmt.Sprint(t) + " failed")
	return d.lost(how, StatusLaunchFailed, StatusName(StatusLaunchFailed)).WithCause(cause)
}
