package platform

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"gpureactor/port"
	"gpureactor/port/manual"
)

// A script is a blocker on a virtual clock: each Wait takes the next of its steps.
type script struct {
	clock *manual.Clock
	steps []step
	waits []port.Time // what Wait was asked for

	events int // found and not delivered
	left   int // events still to find
	freed  int
	holds  bool
}

// A step is what one Wait does: the time passes, then do runs.
type step struct {
	pass time.Duration
	do   func()
}

func (s *script) Wait(at, now port.Time) {
	s.events = min(1, s.left)
	if at <= now || s.events > 0 {
		return
	}
	s.waits = append(s.waits, at)
	if len(s.steps) == 0 {
		s.clock.Set(at)
		return
	}
	next := s.steps[0]
	s.steps = s.steps[1:]
	s.clock.Advance(next.pass)
	if next.do != nil {
		next.do()
	}
}

func (s *script) Watching() bool       { return s.left > 0 }
func (s *script) HoldsProcessor() bool { return s.holds }
func (s *script) Ring()                {}
func (s *script) Free() error          { s.freed++; return nil }
func (s *script) String() string       { return "script" }

func (s *script) Deliver() bool {
	if s.events == 0 {
		return false
	}
	s.left--
	return true
}

// newScript returns a sleeper at time 1 ms on a script.
func newScript(steps ...step) (*Sleeper, *script) {
	clock := new(manual.Clock)
	clock.Set(1e6)
	s := &script{clock: clock, steps: steps}
	return NewSleeperOn(clock, s), s
}

func TestSleepBlocksAgainUntilItsTime(t *testing.T) {
	sleeper, s := newScript(step{pass: 10_000}, step{pass: 0}, step{pass: 80_000})
	at := port.Time(1_100_000)
	if got := sleeper.SleepUntil(at); got != port.WokeTime {
		t.Errorf("SleepUntil = %v", got)
	}
	if want := []port.Time{at, at, at, at}; !slices.Equal(s.waits, want) {
		t.Errorf("waits until %v, want %v", s.waits, want)
	}
	if now := s.clock.Now(); now != at {
		t.Errorf("slept until %d, want %d", now, at)
	}
}

func TestSleepDoesNotBlockForWhatHasPassed(t *testing.T) {
	for _, at := range []port.Time{1e6, 999_999, 0, -1, -1 << 63} {
		sleeper, s := newScript()
		if got := sleeper.SleepUntil(at); got != port.WokeTime || len(s.waits) != 0 {
			t.Errorf("SleepUntil(%d) = %v after %d blocks, want %v after none", at, got, len(s.waits), port.WokeTime)
		}
	}
}

func TestSleepUntilForeverHasNoEnd(t *testing.T) {
	var sleeper *Sleeper
	sleeper, s := newScript(step{pass: 1 << 40}, step{pass: 1 << 62}, step{do: func() { sleeper.Wake() }})
	s.clock.Set(1)
	if got := sleeper.SleepUntil(port.Forever); got != port.WokeCall || len(s.waits) != 3 {
		t.Errorf("SleepUntil(Forever) = %v after %d blocks, want %v after 3", got, len(s.waits), port.WokeCall)
	}
}

func TestSleepOrdersItsReasons(t *testing.T) {
	for _, c := range []struct {
		name           string
		events         int
		woken, closed  bool
		at             port.Time
		want           port.Wakeup
		next           port.Wakeup // of a sleep that is over
		nextWithEvents int
	}{
		{"event", 1, false, false, port.Forever, port.WokeDescriptor, port.WokeTime, 0},
		{"event and past time", 1, false, false, 0, port.WokeDescriptor, port.WokeTime, 0},
		{"event and wake", 1, true, false, port.Forever, port.WokeDescriptor, port.WokeCall, 0},
		{"wake and past time", 0, true, false, 0, port.WokeCall, port.WokeTime, 0},
		{"all, and closed", 1, true, true, 0, port.WokeClosed, port.WokeClosed, 1},
	} {
		sleeper, s := newScript()
		s.left = c.events
		if c.woken {
			sleeper.Wake()
		}
		if c.closed {
			sleeper.Close()
		}
		if got := sleeper.SleepUntil(c.at); got != c.want {
			t.Errorf("%s: SleepUntil = %v, want %v", c.name, got, c.want)
		}
		if got := sleeper.SleepUntil(0); got != c.next || s.left != c.nextWithEvents {
			t.Errorf("%s: then %v with %d events left, want %v with %d", c.name, got, s.left, c.next, c.nextWithEvents)
		}
	}
}

func TestCloseInsideASleepFreesAsTheSleepLeaves(t *testing.T) {
	var sleeper *Sleeper
	var s *script
	inside := -1
	sleeper, s = newScript(step{do: func() { sleeper.Close(); inside = s.freed }})
	if got := sleeper.SleepUntil(port.Forever); got != port.WokeClosed {
		t.Errorf("SleepUntil = %v, want %v", got, port.WokeClosed)
	}
	if inside != 0 || s.freed != 1 {
		t.Errorf("freed %d times during the sleep and %d after, want 0 and 1", inside, s.freed)
	}
	if err := sleeper.Close(); err != nil || s.freed != 1 {
		t.Errorf("second Close = %v, freed %d times", err, s.freed)
	}
}

// The scheduler may hand the processor straight back, so one try is not enough.
func TestTheOnlyProcessorIsLentBeforeItIsTakenAlong(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for range 20 {
		var ran atomic.Bool
		ranBefore := false
		sleeper, s := newScript(step{do: func() { ranBefore = ran.Load() }})
		s.holds = true
		done := make(chan struct{})
		go func() { defer close(done); ran.Store(true) }()
		sleeper.SleepUntil(s.clock.Now().Add(time.Millisecond))
		<-done
		if ranBefore {
			return
		}
	}
	t.Error("no sleep let a waiting goroutine run before it blocked")
}

// A ticking clock moves a little at each reading.
type ticking struct {
	now  port.Time
	tick time.Duration
}

func (c *ticking) Now() port.Time {
	c.now = c.now.Add(c.tick)
	return c.now
}

func TestParkEndsAtTheFirstReadingAtItsBound(t *testing.T) {
	source := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		clock := &ticking{tick: time.Duration(1 + source.IntN(2000))}
		bound := port.Time(source.IntN(100_000))
		hit, now := NewSleeperOn(clock, NewGoTimer()).Park(func() bool { return false }, bound)
		if hit || now != clock.now {
			t.Fatalf("Park = %v, %d, want false and %d, the last reading", hit, now, clock.now)
		}
		// Only a yield reads the clock once more on the way.
		if late := now.Sub(bound); late < 0 || late > 3*clock.tick && bound > 0 {
			t.Errorf("Park until %d ended at %d with ticks of %v", bound, now, clock.tick)
		}
	}
}

// On one processor only a park that yields can see another goroutine's store.
func TestParkLetsOthersRun(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var stored atomic.Bool
	go stored.Store(true)
	clock := &ticking{tick: time.Microsecond}
	if hit, _ := NewSleeperOn(clock, NewGoTimer()).Park(stored.Load, 2_000_000); !hit {
		t.Error("a park of 2000 readings of the clock did not see the store")
	}
}

// With several processors and nobody who uses them, yields double their distance
// up to a bound, and keep it from one park to the next.
func TestYieldsThatFindNobodyGrowRare(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	clock := &ticking{tick: 1}
	s := NewSleeperOn(clock, NewGoTimer())
	for _, want := range []time.Duration{5, 10, 20, 40, 80, 160, 320, 500, 500} {
		if s.yield(clock.Now()); s.apart != want*time.Microsecond {
			t.Errorf("yields are %v apart, want %v us", s.apart, int(want))
		}
	}
	clock.tick = used + 1
	if s.yield(clock.Now()); s.apart != leastApart {
		t.Errorf("after a yield that was used, yields are %v apart, want %v", s.apart, leastApart)
	}
}

func TestParkLooksOftenBetweenReadings(t *testing.T) {
	clock := &ticking{tick: 100}
	count := 0
	NewSleeperOn(clock, NewGoTimer()).Park(func() bool { count++; return false }, 10_000)
	if readings := int(clock.now / 100); count < 20*readings {
		t.Errorf("%d looks in %d readings of the clock", count, readings)
	}
}

func TestNewSleeperNamesItsMeans(t *testing.T) {
	sleeper := NewSleeper(NewClock())
	defer sleeper.Close()
	if sleeper.Means() == "" {
		t.Error("Means() is empty")
	}
}
