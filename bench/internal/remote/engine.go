package remote

import (
	"time"

	"gpureactor/port"
)

const (
	// wholeTail is how long before the next store the engine of one stream stops
	// sleeping and spins, so that stores land on time: sleeps end about that much
	// late. Those of many streams share it, or the child would never sleep.
	wholeTail = 60 * time.Microsecond
	// linger is how long the engine looks for more work, after the last, before
	// it sleeps: a waiter in a loop queues its next piece within it, and need not
	// ring.
	linger = 20 * time.Microsecond
)

// A queue is a stream of the child's device.
type queue interface {
	port.Source
	port.Delayer
}

// An engine is the child's only loop: it hands commands to the device, runs the
// device's alarms, and tells those who block. It is used by one goroutine.
type engine struct {
	layout layout
	alarms *alarms
	host   port.Host
	// closing is asked after each sleep, and ends the loop.
	closing func() bool
	streams []*served
	bell    port.Word
	sleeps  uint64
}

// served is one stream as the engine sees it.
type served struct {
	queue          queue
	commands       cells
	word           port.Word
	taken, blocked port.Word
	count          uint64    // commands taken
	end            port.Time // of the work queued last
	seen           uint64    // what the word held last
	told           uint64    // the target that the blocked waiter was told of
	bell           int       // descriptor of the blocked waiter's bell
}

// run serves until closing says so, or until the device refuses something.
func (e *engine) run() error {
	worked, tail := e.host.Now(), wholeTail/time.Duration(len(e.streams))
	for {
		busy, err := e.round()
		if err != nil {
			return err
		}
		now := e.host.Now()
		if busy {
			worked = now
		}
		next := e.alarms.next()
		if next.Sub(now) <= tail || now.Sub(worked) < linger {
			continue
		}
		if next != port.Forever {
			next = next.Add(-tail)
		}
		e.sleep(next)
		if e.closing() {
			return nil
		}
	}
}

// round takes commands, runs alarms and tells. It reports whether it did any.
func (e *engine) round() (busy bool, err error) {
	for _, s := range e.streams {
		took, err := s.take(e.host.Now)
		if err != nil {
			return false, err
		}
		busy = busy || took
	}
	busy = e.alarms.fire(e.host.Now()) || busy
	if busy {
		for _, s := range e.streams {
			s.tellBlocked()
		}
	}
	return busy, nil
}

// sleep announces itself, looks once more, and sleeps.
func (e *engine) sleep(until port.Time) {
	e.sleeps++
	e.bell.Store(e.sleeps)
	if !e.queued() {
		e.host.SleepUntil(until)
	}
	e.bell.Store(0)
}

func (e *engine) queued() bool {
	for _, s := range e.streams {
		if s.ready() {
			return true
		}
	}
	return false
}

func (s *served) ready() bool { return s.commands.cell(s.count+1).number.Load() == s.count+1 }

// take hands all commands that are there to the device.
func (s *served) take(now func() port.Time) (took bool, err error) {
	for ; s.ready(); took = true {
		c := s.commands.cell(s.count + 1)
		if err := s.queue.Delay(s.remaining(c, now())); err != nil {
			return took, err
		}
		if _, err := s.queue.Mark(); err != nil {
			return took, err
		}
		s.count++
		s.taken.Store(s.count)
	}
	return took, nil
}

// remaining returns what is left of the work at now, or from the end of the work
// before it. It counts from when it was queued, or from that end.
func (s *served) remaining(c *cell, now port.Time) time.Duration {
	from := max(now, s.end)
	s.end = max(port.Time(c.queued.Load()), s.end).Add(time.Duration(c.busy.Load()))
	return max(0, s.end.Sub(from))
}

// tellBlocked rings for a waiter that sleeps for what was stored.
func (s *served) tellBlocked() {
	v := s.word.Load()
	if v == s.seen {
		return
	}
	s.seen = v
	target := s.blocked.Load()
	if target != 0 && target != s.told && port.Reached(v, target) {
		s.told = target
		ring(s.bell)
	}
}
