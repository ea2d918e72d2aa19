package soft

import (
	"bytes"
	"errors"
	"math"
	"time"

	"gpureactor/port"
)

// A model is the plain reference for a stepped device: no queues and no states,
// only the list of what was queued, each with the time it ends by one formula:
//
//	start = the later of its queueing and the end before it; end = start + delay,
//	or the opening of the gate, whichever is later
//
// What has ended by a time has happened, in order. Each stream has a buffer of
// its own, so that no order across streams matters.
type model struct {
	now     port.Time
	lost    port.Time // when the device is lost, Forever for never
	streams []*modelStream
}

type modelStream struct {
	ops    []*modelOp
	faults map[uint64]Fault // by mark call
	marks  uint64           // mark calls
	last   uint64           // numbers given out
	freed  bool             // its buffer
	fresh  []byte           // its buffer at the start
	outs   []*modelOut
}

type modelOp struct {
	queued port.Time
	delay  time.Duration
	opened *port.Time // gate: when, Forever for not yet
	mark   uint64     // number to store, 0 for none
	fault  Fault      // of the mark
	change func(mem []byte)
}

// A modelOut is a copy out that was not retired.
type modelOut struct {
	at   int // ops before it
	mark uint64
	off  int64
	dst  []byte
	want []byte // what dst holds while it is left alone
}

// ends returns when each op ends.
func (s *modelStream) ends() []port.Time {
	ends := make([]port.Time, len(s.ops))
	before := port.Time(math.MinInt64)
	for i, o := range s.ops {
		before = max(before, o.queued)
		if before != port.Forever {
			before = before.Add(o.delay)
		}
		if o.opened != nil {
			before = max(before, *o.opened)
		}
		ends[i] = before
	}
	return ends
}

// happened reports whether what is due at a time took place: by now, and before
// the loss, whose alarm is the oldest at its time.
func (m *model) happened(at port.Time) bool { return at <= m.now && at < m.lost }

func (m *model) isLost() bool { return m.now >= m.lost }

// done returns the number of ops that have happened.
func (m *model) done(s *modelStream) int {
	for i, end := range s.ends() {
		if !m.happened(end) {
			return i
		}
	}
	return len(s.ops)
}

// memory returns what the first n ops make of the buffer.
func (s *modelStream) memory(n int) []byte {
	mem := bytes.Clone(s.fresh)
	for _, o := range s.ops[:n] {
		if o.change != nil {
			o.change(mem)
		}
	}
	return mem
}

// word returns what the word reads: late stores hold up those behind them.
func (m *model) word(s *modelStream) uint64 {
	var word uint64
	held := port.Time(math.MinInt64)
	for i, end := range s.ends() {
		o := s.ops[i]
		if o.mark == 0 || !m.happened(end) || o.fault.Kind == StoreLost {
			continue
		}
		value := o.mark
		if o.fault.Kind == StoreLow {
			value -= o.fault.below()
		}
		held = max(held, end.Add(o.fault.By))
		if m.happened(held) {
			word = value
		}
	}
	return word
}

// status returns what a status query answers.
func (m *model) status(s *modelStream) (port.Status, error) {
	switch {
	case m.isLost():
		return port.StatusBusy, port.ErrDeviceLost
	case m.done(s) < len(s.ops):
		return port.StatusBusy, nil
	}
	return port.StatusIdle, nil
}

// finished returns the highest number whose work is done.
func (m *model) finished(s *modelStream) uint64 {
	var n uint64
	for _, o := range s.ops[:m.done(s)] {
		n = max(n, o.mark)
	}
	return n
}

// refusal returns what a call on memory is refused with, nil for nothing.
func (m *model) refusal(s *modelStream, offset, n int64) error {
	size := int64(len(s.fresh))
	switch {
	case m.isLost():
		return port.ErrDeviceLost
	case offset < 0 || n < 0 || offset > size || n > size-offset:
		return port.ErrOutOfRange
	case s.freed:
		return port.ErrClosed
	}
	return nil
}

func (m *model) queue(s *modelStream, o modelOp) {
	o.queued = m.now
	s.ops = append(s.ops, &o)
}

// mark queues a mark, or returns the refusal.
func (m *model) mark(s *modelStream) (number uint64, err error) {
	if m.isLost() {
		return 0, port.ErrDeviceLost
	}
	s.marks++
	f := s.faults[s.marks]
	if f.Kind == MarkRefused {
		return 0, port.MarkRefused
	}
	s.last++
	m.queue(s, modelOp{mark: s.last, fault: f})
	if f.Kind == MarkUnsure {
		return 0, port.MarkRefused
	}
	return s.last, nil
}

// retire delivers copies out up to a number: those that have happened, if it is a
// success.
func (m *model) retire(s *modelStream, upTo uint64, failed bool) {
	done := m.done(s)
	for len(s.outs) > 0 && s.outs[0].mark <= upTo {
		o := s.outs[0]
		s.outs = s.outs[1:]
		if o.at < done && !failed {
			copy(o.want, s.memory(o.at)[o.off:])
		}
	}
}

func sameRefusal(got, want error) bool {
	return (got == nil) == (want == nil) && (want == nil || errors.Is(got, want))
}
