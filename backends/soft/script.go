package soft

import (
	"sync/atomic"

	"gpureactor/port"
)

// A scripted fault is one given to a device, with the time that its After counts
// from.
type scripted struct {
	Fault
	from port.Time
	used atomic.Bool // it came to pass; only faults that do so once look
}

// A script holds the faults of one stream. The stream's mutex guards it.
type script struct {
	marks  uint64 // calls of Mark so far
	onMark []*scripted
	status []*scripted
}

// add takes f up if it is for stream number.
func (c *script) add(f *scripted, number int) {
	switch {
	case f.Kind.onMark() && f.Stream == number:
		c.onMark = append(c.onMark, f)
	case f.Kind == StatusFails && (f.Stream == number || f.Stream == AllStreams):
		c.status = append(c.status, f)
	}
}

// obey takes f up if it is the stream's. mu is not held.
func (s *Stream) obey(f *scripted) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script.add(f, s.number)
}

// nextMark counts a call of Mark and returns its fault, nil for none.
func (c *script) nextMark() *Fault {
	c.marks++
	for _, f := range c.onMark {
		if f.Mark == c.marks {
			return &f.Fault
		}
	}
	return nil
}

// failingStatus returns the fault that a status query fails with now, else nil.
func (c *script) failingStatus(clock port.Clock) *Fault {
	for _, f := range c.status {
		if clock.Now() >= f.from.Add(f.After) && (f.Sticky || f.used.CompareAndSwap(false, true)) {
			return &f.Fault
		}
	}
	return nil
}
