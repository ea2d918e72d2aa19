package soft

import (
	"slices"

	"gpureactor/port"
)

// Retire records what ended and moves staged copies out to where they belong.
// The mutex that it takes was held by whoever ran the work, so the caller sees
// all that the device wrote, to the race detector's satisfaction too: that
// ignores atomics in mapped memory.
func (s *Stream) Retire(upTo uint64, err error) {
	for _, c := range s.retire(upTo, err) {
		copy(c.dst, c.staged)
	}
}

// retire takes the copies out up to a number off the list, and returns those to
// deliver.
func (s *Stream) retire(upTo uint64, err error) []*copyOutTask {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !port.Reached(upTo, s.retired) || (err == nil && !port.Reached(s.done, upTo)) {
		s.dev.counters.badRetires.Add(1)
	}
	s.retired, s.retireErr = upTo, err
	n := 0
	for n < len(s.copies) && port.Reached(upTo, s.copies[n].mark) {
		n++
	}
	ended := s.copies[:n:n]
	s.copies = s.copies[n:]
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(ended, func(c *copyOutTask) bool { return !c.done })
}

// Retired returns what the last call of Retire said: what tests look at.
func (s *Stream) Retired() (upTo uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.retired, s.retireErr
}
