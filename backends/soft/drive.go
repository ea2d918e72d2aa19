package soft

import "gpureactor/port"

// push queues o and runs what can run. mu is held, as in all of this file unless
// it says otherwise.
func (s *Stream) push(o op) {
	s.queue.push(o)
	s.advance()
}

// advance runs queued work until the head has to wait, unless somebody does so
// already. A heavy task of a live device goes to the stream's own goroutine.
func (s *Stream) advance() {
	if s.driven {
		return
	}
	s.driven = true
	if s.drive(s.dev.engine == nil) {
		s.rest()
		return
	}
	s.dev.runners.Add(1)
	go s.carryOn()
}

// carryOn is the stream's own goroutine: it takes over a drive. mu is not held.
func (s *Stream) carryOn() {
	defer s.dev.runners.Done()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drive(true)
	s.rest()
}

// rest ends a drive.
func (s *Stream) rest() {
	s.driven = false
	if s.queue.len() == 0 {
		s.idle = true
	}
	s.wakeRested()
}

// wakeRested wakes all who wait when a closed stream has come to rest. Waits of
// an open one end by their numbers.
func (s *Stream) wakeRested() {
	if s.closed && s.atRest() {
		s.waiters.wake()
	}
}

// drive runs work until the head has to wait, or is heavy and may not run here,
// in which case it reports false.
func (s *Stream) drive(heavyToo bool) bool {
	for s.queue.len() > 0 {
		switch o := s.queue.at(0); {
		case s.dev.fault.Load() != nil:
			s.fail()
			return true
		case s.mustWait(o):
			return true
		case o.kind == opTask && o.task.heavy() && !heavyToo:
			return false
		default:
			s.runHead(o)
		}
		s.queue.pop()
	}
	return true
}

// mustWait reports whether the head is a delay not yet over or a closed gate.
func (s *Stream) mustWait(o *op) bool {
	switch o.kind {
	case opDelay:
		return !s.isOver(o)
	case opGate:
		return !o.gate.open
	}
	return false
}

func (s *Stream) runHead(o *op) {
	switch o.kind {
	case opMark:
		s.finishMark(o)
	case opGate:
		s.idle = true
	case opTask:
		s.runTask(o.task)
	}
}

// isOver begins a delay if need be and reports whether it is over. Each delay
// sets one alarm, when it begins and is not over yet.
func (s *Stream) isOver(o *op) bool {
	now := s.dev.alarm.Now()
	if !o.begun {
		s.begin(o, now)
	}
	if o.due > now {
		return false
	}
	s.now = o.due
	return true
}

func (s *Stream) begin(o *op, now port.Time) {
	if s.idle {
		s.now, s.idle = now, false
	}
	o.begun, o.due = true, s.now.Add(o.last)
	if o.due > now {
		s.dev.alarm.At(o.due, s.onAlarm)
	}
}

// alarm is run by the device's alarm when a delay is over. mu is not held.
func (s *Stream) alarm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance()
}

// atRest reports whether nothing is queued, runs or is still to land.
func (s *Stream) atRest() bool {
	return s.queue.len() == 0 && !s.driven && s.stores.landed()
}

// isDriven reports whether somebody runs the stream. mu is not held.
func (s *Stream) isDriven() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.driven
}
