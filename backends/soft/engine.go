package soft

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"gpureactor/internal/platform"
	"gpureactor/port"
)

// An engine is the real-time alarm of a live device: one goroutine that sleeps
// until the earliest alarm of all streams and runs it.
type engine struct {
	clock   *platform.Clock
	sleeper *platform.Sleeper
	tail    time.Duration
	ended   chan struct{}

	// first is when the earliest alarm is due: what the engine's spin watches.
	// It is written under mu; a write that moves it back ends a spin, so no
	// alarm waits for a later one.
	first atomic.Int64

	mu     sync.Mutex // guards what follows
	alarms alarms
	// asleep is the time until which the engine sleeps or is about to, never
	// while it is up: only an alarm due before that has to wake it.
	asleep port.Time
	closed bool
}

// never is before every time an alarm can be due.
const never port.Time = math.MinInt64

var _ port.Alarm = (*engine)(nil)

func startEngine(clock *platform.Clock, tail time.Duration) *engine {
	e := &engine{
		clock:   clock,
		sleeper: platform.NewSleeper(clock),
		tail:    tail,
		asleep:  never,
		ended:   make(chan struct{}),
	}
	e.first.Store(int64(port.Forever))
	go e.loop()
	return e
}

// Now reads the device's clock.
func (e *engine) Now() port.Time { return e.clock.Now() }

// At runs f on the engine's goroutine once the clock reads at. f must not block.
// After close it is not run. A wake of the engine is a write to the kernel; it
// is spared when the engine is up or sleeps no longer than until at.
func (e *engine) At(at port.Time, f func()) {
	if e.add(at, f) {
		e.sleeper.Wake()
	}
}

// add reports whether the engine must be woken.
func (e *engine) add(at port.Time, f func()) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return false
	}
	e.alarms.push(at, f)
	e.first.Store(int64(e.alarms.first()))
	if e.rise(at) >= e.asleep {
		return false
	}
	e.asleep = never
	return true
}

// rise returns when the engine has to be up for an alarm at at.
func (e *engine) rise(at port.Time) port.Time {
	if at == port.Forever {
		return at
	}
	return at.Add(-e.tail)
}

func (e *engine) loop() {
	defer close(e.ended)
	for {
		run, sleep, closed := e.next()
		switch {
		case closed:
			return
		case run != nil:
			run()
		case sleep != never:
			e.sleeper.SleepUntil(sleep)
		default:
			e.spin()
		}
	}
}

// next takes the earliest alarm if it is due, else says until when to sleep,
// never for a spin.
func (e *engine) next() (run func(), sleep port.Time, closed bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asleep = never
	now, first := e.clock.Now(), e.alarms.first()
	switch {
	case e.closed:
		return nil, never, true
	case first <= now && first != port.Forever:
		run = e.alarms.pop()
		e.first.Store(int64(e.alarms.first()))
		return run, never, false
	case e.rise(first) > now:
		e.asleep = e.rise(first)
	}
	return nil, e.asleep, false
}

// spin returns once the earliest alarm is due.
func (e *engine) spin() {
	for int64(e.clock.Now()) < e.first.Load() {
	}
}

// close ends the goroutine, waits for it and drops the alarms left. It must not
// be called by an alarm.
func (e *engine) close() {
	e.mu.Lock()
	e.closed = true
	e.alarms = alarms{}
	e.first.Store(int64(never))
	e.mu.Unlock()
	e.sleeper.Wake()
	<-e.ended
	_ = e.sleeper.Close() // nothing of the device depends on it any more
}
