package platform

import (
	"runtime"
	"time"

	"gpureactor/port"
)

// A Blocker is what a [Sleeper] blocks in. The sleeper calls Wait and Deliver
// from one goroutine at a time; Ring may come from any. No call comes after Free.
type Blocker interface {
	// Wait blocks until the clock reads about at, a Ring that has not ended a
	// Wait yet, or an event of the blocker's own. It may return early or for no
	// reason. now is a recent reading; an at that is not after it asks for the
	// events without blocking.
	Wait(at, now port.Time)
	// Watching reports whether there can be events, so that a sleep that does
	// not block has to look for them.
	Watching() bool
	// Deliver runs the functions of the events that Wait found and reports
	// whether it ran any.
	Deliver() bool
	// HoldsProcessor reports whether Wait blocks the thread unknown to the Go
	// scheduler, which then takes its time to run others on that processor.
	HoldsProcessor() bool
	// Ring ends the current Wait, or else the next. It does not block.
	Ring()
	// Free gives back what the blocker holds.
	Free() error
	// String names the timer and what rings, as "timerfd, eventfd".
	String() string
}

// A Sleeper sleeps until a time and watches memory, as [port.Host] describes.
// SleepUntil and Park are called by one goroutine at a time, the rest by any.
type Sleeper struct {
	bell    bell
	gate    gate // held by all who use the blocker
	clock   port.Clock
	blocker Blocker

	// The parker's: how far yields are apart, and when the next is due.
	apart     time.Duration
	nextYield port.Time
	// begun is when the looking began, over parks that follow each other closely,
	// and looked when it was last gone on with.
	begun, looked port.Time
}

const (
	// brief is the time that is waited out without a block: arming a timer and
	// coming back costs more.
	brief = 2 * time.Microsecond
	// A sleep over polite lets other goroutines run before it takes the only
	// processor with it into the kernel, from where the runtime's monitor takes
	// it back after some 50 us at best.
	polite = 50 * time.Microsecond
)

// NewSleeperOn returns a sleeper that blocks in b, which is the sleeper's from
// now on.
func NewSleeperOn(clock port.Clock, b Blocker) *Sleeper {
	return &Sleeper{clock: clock, blocker: b}
}

// Means names the timer and what rings.
func (s *Sleeper) Means() string { return s.blocker.String() }

// SleepUntil blocks until the clock reads at or later (never earlier), a wake, an
// event or Close, and says which. A time that has passed and a negative one do
// not block; port.Forever sets no timer. Of several reasons, closed counts before
// an event, and an event before a wake, which then stays for the next call. It
// allocates nothing.
func (s *Sleeper) SleepUntil(at port.Time) port.Wakeup {
	if !s.gate.enter() {
		return port.WokeClosed
	}
	defer s.leave()
	for yielded := false; ; {
		why, now, over := s.reason(at)
		left := at.Sub(now)
		switch {
		case over:
			return s.end(why, now)
		case left <= brief:
		case !yielded && left > polite && s.holdsTheOnlyProcessor():
			runtime.Gosched()
			yielded = true
		case s.block(at, now):
			return port.WokeDescriptor
		}
	}
}

func (s *Sleeper) holdsTheOnlyProcessor() bool {
	return s.blocker.HoldsProcessor() && runtime.GOMAXPROCS(0) == 1
}

// reason looks for one to end a sleep until at.
func (s *Sleeper) reason(at port.Time) (why port.Wakeup, now port.Time, over bool) {
	if state := s.bell.look(); state&closed != 0 {
		return port.WokeClosed, 0, true
	} else if state != 0 {
		return port.WokeCall, 0, true
	}
	now = s.clock.Now()
	return port.WokeTime, now, at < 0 || (at <= now && at != port.Forever)
}

// end settles a sleep that has a reason to end: events that are there go first,
// so that a host that is always late or always woken still serves them.
func (s *Sleeper) end(why port.Wakeup, now port.Time) port.Wakeup {
	switch {
	case why == port.WokeClosed:
		return why
	case s.blocker.Watching() && s.events(now, now):
		return port.WokeDescriptor
	case why == port.WokeCall:
		s.bell.take()
	}
	return why
}

// block blocks once, unless a wake came first, and reports whether events ran.
func (s *Sleeper) block(at, now port.Time) bool {
	if !s.bell.lieDown() {
		return false
	}
	s.blocker.Wait(at, now)
	s.bell.rise()
	return s.blocker.Deliver()
}

// events looks for events without blocking and reports whether any ran.
func (s *Sleeper) events(at, now port.Time) bool {
	s.blocker.Wait(at, now)
	return s.blocker.Deliver()
}

// Wake ends the current SleepUntil or Park, or else the next one. It costs one
// atomic operation, and a write to the kernel only if it ends a block.
func (s *Sleeper) Wake() {
	if s.bell.wake() {
		s.ring()
	}
}

// ring rings the blocker unless it is freed: a descriptor's number may be
// somebody else's by then.
func (s *Sleeper) ring() {
	if s.gate.enter() {
		s.blocker.Ring()
		s.leave()
	}
}

// Enter keeps the blocker from being freed until Leave. It fails on a closed
// sleeper.
func (s *Sleeper) Enter() bool { return s.gate.enter() }

// Leave gives back an Enter.
func (s *Sleeper) Leave() { s.leave() }

// leave frees the blocker when Close left that to the last one inside. The error
// has nobody left to go to.
func (s *Sleeper) leave() {
	if s.gate.leave() {
		_ = s.blocker.Free()
	}
}

// Close ends a sleep with WokeClosed and a park with false. It frees the blocker,
// or leaves that to the call that is inside; it does not wait for it. A second
// Close does nothing.
func (s *Sleeper) Close() error {
	first, ring := s.bell.close()
	if ring {
		s.ring()
	}
	if first && s.gate.shut() {
		return s.blocker.Free()
	}
	return nil
}
