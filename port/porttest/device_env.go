package porttest

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"gpureactor/port"
)

// A deviceEnv is what a case works with. All of its methods end the case when
// something fails that is not what the case is about.
type deviceEnv struct {
	t        testing.TB
	options  DeviceOptions
	opener   func() port.Device
	cleanups []func()
}

// cleanUp runs what was left to do, the last first.
func (e *deviceEnv) cleanUp() {
	for len(e.cleanups) > 0 {
		last := len(e.cleanups) - 1
		f := e.cleanups[last]
		e.cleanups = e.cleanups[:last]
		f()
	}
}

func (e *deviceEnv) later(f func()) { e.cleanups = append(e.cleanups, f) }

// device opens a device that is closed when the case ends.
func (e *deviceEnv) device() port.Device {
	e.t.Helper()
	d := e.opener()
	if d == nil {
		e.t.Fatalf("open returned no device")
	}
	e.later(func() {
		if err := d.Close(); err != nil {
			e.t.Errorf("close of the device: %v", err)
		}
	})
	return d
}

// stream opens a stream on d; d's close closes it.
func (e *deviceEnv) stream(d port.Device) port.Stream {
	e.t.Helper()
	s, err := d.NewStream()
	e.must("NewStream", err)
	return s
}

// one opens a device and a stream on it.
func (e *deviceEnv) one() (port.Device, port.Stream) {
	e.t.Helper()
	d := e.device()
	return d, e.stream(d)
}

func (e *deviceEnv) alloc(d port.Device, size int64) port.Buffer {
	e.t.Helper()
	b, err := d.Alloc(size)
	e.must("Alloc", err)
	return b
}

// must ends the case on an error.
func (e *deviceEnv) must(what string, err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatalf("%s: %v", what, err)
	}
}

// refused fails the case unless err is of the wanted kind.
func (e *deviceEnv) refused(what string, err, want error) {
	e.t.Helper()
	if !errors.Is(err, want) {
		e.t.Errorf("%s: got error %v, want %v", what, err, want)
	}
}

// gate holds s back until the returned function, or the end of the case.
func (e *deviceEnv) gate(s port.Stream) (open func()) {
	e.t.Helper()
	g, ok := s.(port.Gater)
	if !ok {
		Require(e.t, "gate", port.NewError(port.NotSupported, "a gate on this device's streams",
			"implement port.Gater to run this case"))
		return func() {}
	}
	open, err := g.Gate()
	e.must("Gate", err)
	e.later(open)
	return open
}

// delayer returns s as a delayer.
func (e *deviceEnv) delayer(s port.Stream) port.Delayer {
	e.t.Helper()
	d, ok := s.(port.Delayer)
	if !ok {
		Require(e.t, "delay", port.NewError(port.NotSupported, "a delay on this device's streams",
			"implement port.Delayer to run this case"))
	}
	return d
}

func (e *deviceEnv) mark(s port.Stream) port.Ticket {
	e.t.Helper()
	t, err := s.Mark()
	e.must("Mark", err)
	return t
}

// busy queues work that takes a while where the stream can be made to.
func (e *deviceEnv) busy(s port.Stream) {
	e.t.Helper()
	if d, ok := s.(port.Delayer); ok {
		e.must("Delay", d.Delay(200*time.Microsecond))
	}
}

// number returns how far the stream's word has come.
func (e *deviceEnv) number(s port.Stream) uint64 {
	e.t.Helper()
	if p, ok := s.(port.Peeker); ok {
		n, err := p.Peek()
		e.must("Peek", err)
		return n
	}
	return s.Word().Load()
}

func (e *deviceEnv) reached(s port.Stream, t port.Ticket) bool {
	e.t.Helper()
	return port.Reached(e.number(s), t.Target())
}

// until looks until done, and ends the case if that never happens.
func (e *deviceEnv) until(what string, done func() bool) {
	e.t.Helper()
	for range e.options.Looks {
		if done() {
			return
		}
		e.step()
	}
	e.t.Fatalf("%s: not within %d looks", what, e.options.Looks)
}

// await waits for a ticket as a watcher does: it sees the word, then retires.
func (e *deviceEnv) await(s port.Stream, t port.Ticket) {
	e.t.Helper()
	e.until("word reaches "+t.String(), func() bool { return e.reached(s, t) })
	s.Retire(t.Target(), nil)
}

// finish marks behind all that is queued and waits for it.
func (e *deviceEnv) finish(s port.Stream) {
	e.t.Helper()
	e.await(s, e.mark(s))
}

// passing is how many looks a case takes to see that nothing happens.
const passing = 200

// meanwhile calls look again and again while another stream of d gets work done,
// so that the device has had every chance to do what it must not.
func (e *deviceEnv) meanwhile(d port.Device, look func()) {
	e.t.Helper()
	other := e.stream(d)
	for range 3 {
		e.busy(other)
		e.finish(other)
		look()
	}
	for range passing {
		e.step()
		look()
	}
}

// step lets time and other goroutines pass.
func (e *deviceEnv) step() {
	if e.options.Step != nil {
		e.options.Step()
	}
	runtime.Gosched()
}

// A deviceCall is a call on a goroutine of its own.
type deviceCall struct{ ended chan error }

// start calls f on a goroutine, and returns once that runs.
func (e *deviceEnv) start(f func() error) *deviceCall {
	c := &deviceCall{ended: make(chan error, 1)}
	running := make(chan struct{})
	go func() {
		close(running)
		c.ended <- f()
	}()
	<-running
	return c
}

// block starts a Block on t whose context ends with the case at the latest.
func (e *deviceEnv) block(s port.Stream, t port.Ticket) *deviceCall {
	ctx, cancel := context.WithCancel(context.Background())
	e.later(cancel)
	return e.start(func() error { return s.Block(ctx, t) })
}

// hasEnded reports whether the call has returned; its error goes with the first
// answer.
func (c *deviceCall) hasEnded() (bool, error) {
	select {
	case err := <-c.ended:
		return true, err
	default:
		return false, nil
	}
}

// result waits for the call to return.
func (e *deviceEnv) result(what string, c *deviceCall) error {
	e.t.Helper()
	var err error
	e.until(what+" returns", func() (ended bool) {
		ended, err = c.hasEnded()
		return ended
	})
	return err
}
