package reactor

import (
	"gpureactor/port"
	"gpureactor/waitplan"
)

// look is one look at the word, or one peek: it ends the prefix that was reached
// and takes the next step of the wait when that is due. seen says that the word
// was being watched until now.
func (s *Stream) look(now port.Time, seen bool) {
	if s.peeker != nil {
		s.r.stats.Peeks++
		if _, err := s.peeker.Peek(); err != nil {
			s.failed(err)
			return
		}
	}
	e := waitplan.Reached
	if seen {
		e = waitplan.Seen
	}
	s.end(s.word.Load(), e, now)
	if s.head != nil && now >= s.due {
		s.step(waitplan.Pending, now)
	}
	s.place()
}

// step asks the wait of the head what to do and does it, until it is to wait.
func (s *Stream) step(e waitplan.Event, now port.Time) {
	if !s.begun {
		s.wait.BeginTicket(s.head.plan, s.head.predicted(), s.head.start)
		s.begun = true
	}
	for s.obey(s.wait.Next(e, now), now) {
		e = waitplan.Pending
	}
}

// obey carries out one action and reports whether to ask again.
func (s *Stream) obey(a waitplan.Action, now port.Time) bool {
	switch a.Kind {
	case waitplan.Query:
		s.query()
		return true
	case waitplan.SleepUntil:
		s.kind, s.due = sleeps, a.Until
	case waitplan.ParkUntil:
		s.kind, s.due = parks, a.Until
	case waitplan.PollUntil:
		s.kind, s.due = polls, a.Until
	case waitplan.BlockOn:
		s.kind, s.due = notIdle, port.Forever
		s.blockOn()
	default:
		panic("BUG: reactor: the wait of a pending future says " + a.Kind.String())
	}
	s.withoutWord(now)
	return false
}

// withoutWord corrects what a wait wants of a stream whose word cannot be watched:
// it polls, and it is looked at again soon.
func (s *Stream) withoutWord(now port.Time) {
	if s.noWord && s.kind == parks {
		s.kind = polls
	}
	if s.peeker != nil && s.kind == polls {
		s.due = min(s.due, now.Add(peekEvery))
	}
}

// restart begins the wait of a new head.
func (s *Stream) restart(now port.Time) {
	s.step(waitplan.Pending, now)
	s.place()
}

// place keeps the stream in the active list while turns must look at it, and what
// stands there of it true. It follows whatever changes head or wait.
func (s *Stream) place() {
	r := s.r
	need := s.head != nil && s.kind != notIdle // not while the driver is blocked on
	switch {
	case need:
		if s.index < 0 {
			s.index = len(r.active)
			r.active = append(r.active, post{})
			s.missPark()
		}
		r.active[s.index] = post{
			ticket: s.ticket, due: s.due, kind: s.kind, stream: s,
			peeks: s.peeker != nil, unseen: s.begun && s.wait.Confirming(),
		}
	case s.index >= 0:
		last := len(r.active) - 1
		r.active[s.index] = r.active[last]
		r.active[s.index].stream.index = s.index
		r.active[last] = post{}
		r.active = r.active[:last]
		s.index = -1
	}
}

// missPark notes that the park under way does not look at what is new on s. When
// none is, the word was looked at just now and the next one will.
func (s *Stream) missPark() {
	s.missed = 0
	if s.r.idle.kind != notIdle {
		s.missed = s.r.park
	}
}
