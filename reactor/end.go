package reactor

import (
	"errors"

	"gpureactor/port"
	"gpureactor/waitplan"
)

// A chain is a queue of futures that have ended, linked by next: of those whose
// waiters do not know yet, and of those whose tokens nobody has taken.
type chain struct{ first, last *Future }

func (c *chain) add(f *Future) {
	f.next = nil
	if c.first == nil {
		c.first = f
	} else {
		c.last.next = f
	}
	c.last = f
}

// take returns the first and takes it out, nil when there is none.
func (c *chain) take() *Future {
	f := c.first
	if f == nil {
		return nil
	}
	c.first, f.next = f.next, nil
	return f
}

// fireChain lets the waiters of a chain go.
func (r *Reactor) fireChain(c chain) {
	for f := c.take(); f != nil; f = c.take() {
		r.fire(f)
	}
}

// end ends every pending future up to upTo, in order, as event e says; one whose
// plan wants the driver's word first holds up those behind it. The source learns
// of it before any waiter runs.
func (s *Stream) end(upTo uint64, e waitplan.Event, now port.Time) {
	var over chain
	for f := s.head; f != nil && port.Reached(upTo, f.target); f = s.head {
		if !s.endHead(e, now) {
			upTo = over.target(upTo)
			break
		}
		over.add(f)
	}
	if over.first == nil {
		return
	}
	s.retire(upTo, nil)
	s.r.fireChain(over)
}

// target returns the last target of the chain, or none for an empty one.
func (c *chain) target(none uint64) uint64 {
	if c.last == nil {
		return none
	}
	return c.last.target
}

// endHead ends the head and takes it out, unless its plan has the driver asked
// first.
func (s *Stream) endHead(e waitplan.Event, now port.Time) bool {
	f := s.head
	if !s.begun {
		s.wait.BeginTicket(f.plan, 0, f.start)
		s.begun, s.queued = true, true
		if e == waitplan.Idle && s.ticket.Reached() {
			s.wait.Next(waitplan.Reached, now) // held for the driver's word, which is here
		}
	}
	if a := s.wait.Next(e, now); a.Kind != waitplan.Finish {
		for s.obey(a, now) {
			a = s.wait.Next(waitplan.Pending, now)
		}
		return false
	}
	f.report = s.wait.Report()
	if s.queued {
		f.wasQueued(e)
	}
	s.learn(f)
	s.unlink(f)
	s.r.stats.ended(&f.report)
	return true
}

// wasQueued corrects the report of a future that ended behind others, before a
// wait of its own had begun: it did not find its target reached at the first look,
// and unless the word was watched there is no telling when it was.
func (f *Future) wasQueued(e waitplan.Event) {
	if f.report.Kind != waitplan.Immediate {
		return
	}
	f.report.Kind = waitplan.Parked
	if e != waitplan.Seen {
		f.report.Bound, f.report.Residual = waitplan.Unknown, 0
	}
}

// fail fails everything pending on s with the driver's error, and tells the
// source so. What the word had reached must have ended before.
func (s *Stream) fail(err error) {
	if s.tail == nil {
		return
	}
	upTo := s.tail.target
	over := s.takeAll(err)
	s.retire(upTo, err)
	s.r.fireChain(over)
	s.place()
}

// abandon fails everything pending on s although its work goes on: the source is
// not told, since nothing has retired.
func (s *Stream) abandon(err error) {
	s.r.fireChain(s.takeAll(err))
	s.place()
}

// takeAll takes everything pending out with err.
func (s *Stream) takeAll(err error) chain {
	var over chain
	for f := s.head; f != nil; f = s.head {
		s.unlink(f)
		f.err = err
		s.r.stats.Failed++
		s.r.stats.Ended++
		over.add(f)
	}
	return over
}

// cancel takes f out with err. What is behind it goes on.
func (s *Stream) cancel(f *Future, err error) {
	wasHead := s.head == f
	s.unlink(f)
	f.err = err
	s.r.stats.Ended++
	s.r.fire(f)
	if wasHead && s.head != nil {
		s.restart(s.r.host.Now())
		s.r.notify(s)
	}
	s.place()
	s.r.wakeHolder()
	s.r.ensureHolder()
}

// failed spreads a driver's error: over the whole domain, or over this stream
// alone when it is the source that was closed. What the words have reached by now
// was completed all the same.
func (s *Stream) failed(err error) {
	if errors.Is(err, port.ErrClosed) {
		s.failOne(err)
		return
	}
	s.r.stats.DomainFailures++
	for _, other := range s.r.streams {
		if other.domain == s.domain {
			other.failOne(err)
		}
	}
}

func (s *Stream) failOne(err error) {
	if s.head == nil {
		return
	}
	s.end(s.word.Load(), waitplan.Reached, s.r.host.Now())
	s.fail(err)
	s.place()
}

// answer takes a driver's answer to a status query.
func (s *Stream) answer(status port.Status, err error) {
	if s.head == nil {
		return
	}
	now := s.r.host.Now()
	switch {
	case err != nil:
		s.failed(err)
	case status == port.StatusIdle:
		s.idle(now)
		if s.head != nil && s.begun {
			s.step(waitplan.Busy, now)
		}
	default:
		s.busy(now)
	}
	s.resume(now)
}

// idle completes what was pending when the query began. Targets that the word has
// not reached have lost their store.
func (s *Stream) idle(now port.Time) {
	to := s.queryTo
	e := waitplan.Seen
	if s.kind == sleeps {
		e = waitplan.Reached // nobody was looking
	}
	s.end(s.word.Load(), e, now)
	if s.head != nil {
		s.end(to, waitplan.Idle, now)
	}
}

// busy goes on waiting. A wait that the driver is to confirm takes "busy" for a
// yes when later work is what keeps the stream busy: the answer says no failure,
// which is all it can say of a ticket that is past.
func (s *Stream) busy(now port.Time) {
	if s.confirms && s.begun && s.wait.Confirming() && s.hasLater() {
		s.end(s.head.target, waitplan.Idle, now)
		return
	}
	s.step(waitplan.Busy, now)
}

func (s *Stream) hasLater() bool {
	return s.tail.target != s.head.target || s.word.Load() != s.head.target
}

// unblocked takes the return of a blocking wait in the driver.
func (s *Stream) unblocked(err error) {
	if s.head == nil {
		return
	}
	now := s.r.host.Now()
	if err != nil {
		s.failed(err)
	} else {
		s.end(s.blockTo, waitplan.Unblocked, now)
		s.end(s.word.Load(), waitplan.Seen, now)
	}
	s.resume(now)
}

// resume has the stream's next wait go on, and the holder see what changed.
func (s *Stream) resume(now port.Time) {
	if s.head != nil && (!s.begun || s.kind == notIdle) {
		s.step(waitplan.Pending, now)
	}
	s.place()
	s.r.wakeHolder()
	s.r.ensureHolder()
}
