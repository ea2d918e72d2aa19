package reactor

import (
	"math"

	"gpureactor/port"
)

// insert puts f among the pending futures of s, in rising order of the targets.
// Marks are mostly watched in order, so the search begins at the end.
func (s *Stream) insert(f *Future) {
	before := s.tail
	for before != nil && !port.Reached(f.target, before.target) {
		before = before.prev
	}
	f.prev = before
	if before != nil {
		f.next, before.next = before.next, f
	} else {
		f.next = s.head
		s.setHead(f)
	}
	if f.next != nil {
		f.next.prev = f
	} else {
		s.tail = f
	}
}

// setHead makes f, which may be nil, the one whose wait is next. That has not begun,
// and is due.
func (s *Stream) setHead(f *Future) {
	s.head, s.begun, s.due = f, false, math.MinInt64
	s.confirms, s.queued = false, false
	if f != nil {
		s.ticket = port.NewTicket(s.word, f.target)
	}
}

// unlink takes f out. When it was the head, the wait of the next one has not
// begun.
func (s *Stream) unlink(f *Future) {
	if f.prev != nil {
		f.prev.next = f.next
	} else {
		s.setHead(f.next)
	}
	if f.next != nil {
		f.next.prev = f.prev
	} else {
		s.tail = f.prev
	}
	f.prev, f.next = nil, nil
}
