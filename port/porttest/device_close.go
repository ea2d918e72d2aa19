package porttest

import (
	"context"

	"gpureactor/port"
)

func deviceCloseCases() []DeviceCase {
	return []DeviceCase{
		{"closed-stream-is-refused",
			"After its Close a stream refuses all work, and Acquire, with ErrClosed; a second Close returns nil.", closedStream},
		{"closed-device-is-refused",
			"After its Close a device, and all that came from it, refuses work with ErrClosed; a second Close is nil.", closedDevice},
		{"stream-close-waits",
			"Close of a stream waits for its work.", streamCloseWaits},
		{"close-ends-each-block",
			"Work in flight at Close ends each wait, done or failed.", closeEndsBlock},
		{"acquired-word-outlives-close",
			"Between Acquire and Release the word can be read, after its stream and device are closed too.", wordOutlives},
		{"acquire-nests",
			"Each Acquire needs its own Release.", acquireNests},
	}
}

// refusesWork tries all that a stream can be given.
func (e *deviceEnv) refusesWork(s port.Stream, b port.Buffer) {
	e.t.Helper()
	_, err := s.Mark()
	e.refused("Mark", err, port.ErrClosed)
	e.refused("Fill", s.Fill(b, 0, 1, 1), port.ErrClosed)
	e.refused("CopyIn", s.CopyIn(b, 0, []byte{1}), port.ErrClosed)
	e.refused("CopyOut", s.CopyOut(make([]byte, 1), b, 0), port.ErrClosed)
	e.refused("Launch", s.Launch(port.Launch{}), port.ErrClosed)
	e.refused("Acquire", s.Acquire(), port.ErrClosed)
	if d, ok := s.(port.Delayer); ok {
		e.refused("Delay", d.Delay(0), port.ErrClosed)
	}
	if g, ok := s.(port.Gater); ok {
		_, err := g.Gate()
		e.refused("Gate", err, port.ErrClosed)
	}
}

func closedStream(e *deviceEnv) {
	d, s := e.one()
	b := e.alloc(d, 16)
	e.finish(s)
	e.must("Close", s.Close())
	e.must("second Close", s.Close())
	e.refusesWork(s, b)
	other := e.stream(d)
	e.must("Fill on another stream", other.Fill(b, 0, 16, 1))
	e.finish(other)
}

func closedDevice(e *deviceEnv) {
	d, s := e.one()
	b := e.alloc(d, 16)
	e.finish(s)
	e.must("Close", d.Close())
	e.must("second Close", d.Close())
	e.refusesWork(s, b)
	e.refused("Free", b.Free(), port.ErrClosed)
	_, err := d.Alloc(16)
	e.refused("Alloc", err, port.ErrClosed)
	_, err = d.NewStream()
	e.refused("NewStream", err, port.ErrClosed)
	_, err = d.Load(vectorAdd())
	e.refused("Load", err, port.ErrClosed)
	e.must("Close of a stream of a closed device", s.Close())
}

func streamCloseWaits(e *deviceEnv) {
	const size = 256 << 10
	d, s := e.one()
	b := e.alloc(d, size)
	e.must("Acquire", s.Acquire())
	defer s.Release()
	got := make([]byte, size)
	for i := range 8 {
		e.must("Fill", s.Fill(b, 0, size, byte(i)))
	}
	e.must("CopyOut", s.CopyOut(got, b, 0))
	t := e.mark(s)
	e.must("Close", e.result("Close", e.start(s.Close)))
	if !e.reached(s, t) {
		e.t.Fatalf("Close returned before %v was reached", t)
	}
	s.Retire(t.Target(), nil)
	if !allAre(got, 7) {
		e.t.Errorf("a copy out that Close waited for reads %d", got[0])
	}
}

func closeEndsBlock(e *deviceEnv) {
	d, s := e.one()
	b := e.alloc(d, 64<<10)
	var calls []*deviceCall
	for i := range 8 {
		e.must("Fill", s.Fill(b, 0, b.Size(), byte(i)))
		e.busy(s)
		t := e.mark(s)
		calls = append(calls, e.start(func() error { return s.Block(context.Background(), t) }))
	}
	closing := e.start(d.Close)
	for _, c := range calls {
		if err := e.result("Block during Close", c); err != nil {
			e.t.Logf("Block during Close: %v", err)
		}
	}
	e.must("Close", e.result("Close", closing))
}

func wordOutlives(e *deviceEnv) {
	d, s := e.one()
	e.must("Acquire", s.Acquire())
	e.busy(s)
	t := e.mark(s)
	e.await(s, t)
	word := s.Word()
	e.must("Close of the stream", s.Close())
	e.must("Close of the device", d.Close())
	if got := word.Load(); got != t.Target() {
		e.t.Errorf("the word reads %d after Close, want %d", got, t.Target())
	}
	s.Release()
}

func acquireNests(e *deviceEnv) {
	d, s := e.one()
	for range 3 {
		e.must("Acquire", s.Acquire())
	}
	t := e.mark(s)
	e.await(s, t)
	s.Release()
	e.must("Close", d.Close())
	s.Release()
	if got := s.Word().Load(); got != t.Target() {
		e.t.Errorf("the word reads %d with one Acquire left, want %d", got, t.Target())
	}
	s.Release()
}
