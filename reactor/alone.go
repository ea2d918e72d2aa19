package reactor

import (
	"gpureactor/port"
	"gpureactor/waitplan"
)

// endAlone ends f, whose waiter has just watched the words, if that is all there is
// to do: a short cut through the next turn for a waiter that is alone with its
// stream. It does what harvest would do and takes half the time, which is what the
// waiter feels. In every other case it does nothing.
func (r *Reactor) endAlone(f *Future, now port.Time) {
	s := f.stream
	if len(r.active) != 1 || !s.isAlone(f) || !port.Reached(s.word.Load(), f.target) {
		return
	}
	s.wait.Next(waitplan.Seen, now)
	f.report = s.wait.Report()
	s.learn(f)
	s.setHead(nil)
	s.tail = nil
	s.place()
	s.retire(f.target, nil)
	r.pending--
	r.stats.ended(f)
	f.state.Store(ended)
}

// isAlone says that f is all that is pending on s, that nobody but its waiter is
// told of its end, and that the word alone decides it.
func (s *Stream) isAlone(f *Future) bool {
	return s.head == f && f.next == nil && s.begun && s.peeker == nil && !f.plan.Confirm &&
		f.extra == nil && f.waiters == nil && !f.polled
}
