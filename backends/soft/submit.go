package soft

import (
	"time"

	"gpureactor/port"
)

// ready refuses work for a closed stream before its arguments are looked at.
func (s *Stream) ready() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.usable()
}

// enqueue queues o if the stream takes work.
func (s *Stream) enqueue(o op) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return err
	}
	s.push(o)
	return nil
}

// enqueueTask queues t, or settles it if the stream takes no work.
func (s *Stream) enqueueTask(t task) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		t.settle(false)
		return err
	}
	if c, ok := t.(*copyOutTask); ok {
		c.mark = s.cell.last + 1
		s.copies = append(s.copies, c)
	}
	s.push(op{kind: opTask, task: t})
	return nil
}

// Delay queues work that takes d of device time and no CPU. It refuses a negative
// d with ErrOutOfRange. It allocates nothing once the queue has grown to its
// usual length.
func (s *Stream) Delay(d time.Duration) error {
	if d < 0 {
		return port.NewError(port.OutOfRange, "delay", d.String(), "0 and up")
	}
	return s.enqueue(op{kind: opDelay, last: d})
}

// A gate holds a stream back until it is open. The stream's mutex guards it.
type gate struct{ open bool }

// Gate queues a gate. open never blocks; work behind the gate may run in it.
// Close of the stream or its device opens a gate that was left shut.
func (s *Stream) Gate() (open func(), err error) {
	g := new(gate)
	if err := s.enqueue(op{kind: opGate, gate: g}); err != nil {
		return nil, err
	}
	return func() { s.openGate(g) }, nil
}

func (s *Stream) openGate(g *gate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g.open = true
	s.advance()
}

// Fill sets n bytes of dst from offset to value. An empty range is allowed.
func (s *Stream) Fill(dst port.Buffer, offset, n int64, value byte) error {
	if err := s.ready(); err != nil {
		return err
	}
	b, mem, err := s.dev.hold(dst, offset, n)
	if err != nil {
		return err
	}
	return s.enqueueTask(&fillTask{buf: b, dst: mem, value: value})
}

// CopyIn copies src, as it is now, to dst at offset. It allocates len(src) bytes.
func (s *Stream) CopyIn(dst port.Buffer, offset int64, src []byte) error {
	if err := s.ready(); err != nil {
		return err
	}
	b, mem, err := s.dev.hold(dst, offset, int64(len(src)))
	if err != nil {
		return err
	}
	return s.enqueueTask(&copyInTask{buf: b, dst: mem, src: append([]byte(nil), src...)})
}

// CopyOut copies len(dst) bytes of src from offset into a staging buffer, which
// it allocates; Retire of a mark behind the copy moves them to dst, and takes the
// time of that.
func (s *Stream) CopyOut(dst []byte, src port.Buffer, offset int64) error {
	if err := s.ready(); err != nil {
		return err
	}
	b, mem, err := s.dev.hold(src, offset, int64(len(dst)))
	if err != nil {
		return err
	}
	return s.enqueueTask(&copyOutTask{buf: b, src: mem, dst: dst, staged: make([]byte, len(dst))})
}

// Launch runs a Go kernel of this device. It refuses a kernel or a buffer of
// another device with ErrForeign, no kernel and a zero Arg with
// ErrInvalidProgram, and a buffer offset outside its buffer with ErrOutOfRange.
// How many arguments there are and of what kinds is the kernel's own affair.
func (s *Stream) Launch(l port.Launch) error {
	if err := s.ready(); err != nil {
		return err
	}
	t, err := s.dev.newLaunch(l)
	if err != nil {
		return err
	}
	return s.enqueueTask(t)
}
