package reactor

import (
	"gpureactor/deadline"
	"gpureactor/port"
	"gpureactor/waitplan"
)

// A leftover is what a waiter that was alone left for the next caller to do: see
// [Reactor.restAlone]. The zero leftover is none.
type leftover struct {
	stream *Stream
	kind   idleKind
	point  *deadline.Point
	rule   deadline.Rule // of the point, if there is one
}

// lock takes the mutex. What the last waiter left is done first, so nobody ever
// sees the reactor without it.
func (r *Reactor) lock() {
	r.mu.Lock()
	r.entries++
	if r.left.stream != nil {
		r.settle()
	}
}

// locker lets a condition variable take the mutex as everybody does.
type locker struct{ *Reactor }

func (l locker) Lock()   { l.lock() }
func (l locker) Unlock() { l.mu.Unlock() }

// isAlone says that f, whose waiter holds the baton, is all that is pending, that
// nobody else is told of its end, that the word alone decides it and that nobody
// wants the baton. q is the queue that the holder owns, nil for none.
func (r *Reactor) isAlone(f *Future, q *Queue) bool {
	s := f.stream
	return len(r.active) == 1 && s.head == f && f.next == nil && s.begun && s.peeker == nil &&
		!f.plan.Confirm && f.extra == nil && f.waiters == nil && f.queue == q &&
		r.baton.turners == 0 && r.baton.newest == nil && r.baton.offered == nil && len(r.sleepers) == 0 && !r.closed
}

// restAlone watches the word of f, which is alone. When the park saw it reached and
// nobody has taken the mutex meanwhile, it tells the source, ends f and returns
// true with the mutex free: lists, counters, estimator and baton are left to the
// next caller of lock. The waiter's latency is what comes between the store and its
// return, so nothing stands there that can come later; mostly it comes while the
// device is at work again. Else it returns false with the mutex held. now is a late
// reading of the clock.
func (r *Reactor) restAlone(f *Future, to idleState) (now port.Time, over bool) {
	s, line := f.stream, r.gather(to.kind)
	r.idle = to
	entries := r.entries
	r.mu.Unlock()
	var hit bool
	hit, now = r.host.ParkLine(line, r.parkReady, to.until)
	r.mu.Lock()
	if !hit || r.entries != entries {
		r.rested(to.kind)
		return now, false
	}
	s.wait.Next(waitplan.Seen, now)
	f.report = s.wait.Report()
	r.left.stream, r.left.kind = s, to.kind
	if r.left.point = f.point; f.point != nil {
		r.left.rule = f.plan.Deadline
	}
	s.retire(f.target, nil)
	f.state.Store(ended)
	r.mu.Unlock()
	return now, true
}

// settle does what was left. The future is not touched: it is its owner's again.
func (r *Reactor) settle() {
	l := r.left
	r.left = leftover{}
	report := l.stream.wait.Report()
	l.stream.setHead(nil)
	l.stream.tail = nil
	l.stream.place()
	r.pending--
	if r.baton.owner != nil {
		r.queued--
	}
	r.stats.idled(l.kind)
	r.stats.ended(&report)
	observe(l.point, &l.rule, &report)
	r.leave()
}
