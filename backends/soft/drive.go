package soft

import (
	"errors"

	"gpureactor/port"
)

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
		if s.dev.fault.Load() != nil {
			s.fail()
			return true
		}
		switch o := s.queue.at(0); o.kind {
		case opMark:
			s.finishMark(o)
		case opDelay:
			if !s.isOver(o) {
				return true
			}
		case opGate:
			if !o.gate.open {
				return true
			}
			s.idle = true
		case opTask:
			if o.task.heavy() && !heavyToo {
				return false
			}
			s.runTask(o.task)
		}
		s.queue.pop()
	}
	return true
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

// runTask runs the head, which stays queued meanwhile so that the stream is busy.
func (s *Stream) runTask(t task) {
	if !t.heavy() {
		t.settle(t.run() == nil)
		return
	}
	s.running = true
	err := s.runUnlocked(t)
	s.running, s.idle = false, true
	t.settle(err == nil)
}

// errExit is what a kernel failed with that ended its goroutine.
var errExit = errors.New("the kernel ended its goroutine (runtime.Goexit)")

// runUnlocked runs t with mu free and loses the device if t fails. If t ends the
// goroutine the drive ends here too: the frames above run their defers only, so
// the stream is put to rest on the way out.
func (s *Stream) runUnlocked(t task) error {
	s.mu.Unlock()
	err := errExit
	returned := false
	defer func() {
		if err != nil {
			s.dev.lose(s.dev.kernelError(t, err))
		}
		s.mu.Lock()
		if !returned {
			s.exit(t)
		}
	}()
	err = t.run()
	returned = true
	return err
}

// exit takes a task that ended its goroutine off the queue and ends the drive.
func (s *Stream) exit(t task) {
	s.running = false
	t.settle(false)
	s.queue.pop()
	s.rest()
}

// abandon drops what is queued and ends all waits: the device is lost. mu is not
// held.
func (s *Stream) abandon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail()
}

// fail ends the stream with the device's fault, unless it had come to its end.
func (s *Stream) fail() {
	if s.ended == nil && !(s.closed && s.atRest()) {
		s.ended = s.dev.failure()
	}
	s.dropAll()
	s.waiters.wake()
}

// dropAll drops everything but a task that runs, and stores not landed.
func (s *Stream) dropAll() {
	keep := 0
	if s.running {
		keep = 1
	}
	s.drop(s.queue.len() - keep)
	s.dev.counters.lost.Add(s.stores.drop())
}

// drop drops the last n ops.
func (s *Stream) drop(n int) {
	for ; n > 0; n-- {
		if o := s.queue.at(s.queue.len() - 1); o.kind == opTask {
			o.task.settle(false)
		}
		s.queue.cut()
		s.dev.counters.dropped.Add(1)
	}
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

// finishMark ends a mark: its work is done, whatever becomes of its store.
func (s *Stream) finishMark(o *op) {
	if o.fault == nil {
		s.store(o.value)
	} else {
		s.storeFaulty(o.value, o.fault)
	}
	s.done = o.value
	s.waiters.reach(s.done)
}
