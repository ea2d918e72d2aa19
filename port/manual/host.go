package manual

import (
	"sync"
	"time"

	"gpureactor/port"
)

// Op tells a sleep from a park.
type Op uint8

// The two ways to idle.
const (
	Sleep Op = iota
	Park
)

// String returns "sleep" or "park".
func (o Op) String() string {
	if o == Sleep {
		return "sleep"
	}
	return "park"
}

// An Idle is one call that a [Host] was idled by.
type Idle struct {
	Op Op
	// From and To are the time of the call and the time asked for, End the time
	// it returned.
	From, To, End port.Time
	// Wakeup says what ended a sleep, Ready what a park returned.
	Wakeup port.Wakeup
	Ready  bool
}

// A Host idles by moving a virtual clock from alarm to alarm and keeps a log of
// what it was asked. When there is nothing to move to (a sleep until Forever with
// no alarm set) it blocks until Wake, Close or an alarm set by someone else.
type Host struct {
	*Clock

	// Overshoot is added to the end of every sleep that runs its full time. Set
	// it before use.
	Overshoot time.Duration

	mu     sync.Mutex // guards what follows
	wake   chan struct{}
	woken  bool
	closed bool
	log    []Idle
}

var _ port.Host = (*Host)(nil)

// NewHost returns a host on clock.
func NewHost(clock *Clock) *Host {
	return &Host{Clock: clock, wake: make(chan struct{}, 1)}
}

// SleepUntil moves the clock to at plus the overshoot, or to the alarm in whose
// course Wake or Close was called.
func (h *Host) SleepUntil(at port.Time) port.Wakeup {
	idle := Idle{Op: Sleep, From: h.Now(), To: at}
	idle.Wakeup = h.sleep(at)
	h.record(idle)
	return idle.Wakeup
}

func (h *Host) sleep(at port.Time) port.Wakeup {
	for {
		if why, ended := h.takeWake(); ended {
			return why
		}
		next, ok := h.Next()
		switch {
		case ok && next <= at:
			h.Set(next)
		case at != port.Forever:
			if at > h.Now() {
				h.Set(at.Add(h.Overshoot))
			}
			return port.WokeTime
		default:
			<-h.wake
		}
	}
}

// ParkLine moves the clock from alarm to alarm, asking ready after each, to bound
// at most.
func (h *Host) ParkLine(_ *port.Line, ready func() bool, bound port.Time) (bool, port.Time) {
	idle := Idle{Op: Park, From: h.Now(), To: bound}
	idle.Ready = h.park(ready, bound)
	return idle.Ready, h.record(idle)
}

func (h *Host) park(ready func() bool, bound port.Time) bool {
	for {
		if ready() {
			return true
		}
		if _, ended := h.takeWake(); ended {
			return false
		}
		next, ok := h.Next()
		switch {
		case ok && next <= bound:
			h.Set(next)
		case bound != port.Forever:
			h.Set(bound)
			return ready()
		default:
			<-h.wake
		}
	}
}

// Wake leaves the token that ends a sleep or park.
func (h *Host) Wake() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.woken = true
	h.nudge()
}

// nudge ends a block on the channel. mu is held.
func (h *Host) nudge() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// takeWake takes the token, or says that the host is closed.
func (h *Host) takeWake() (port.Wakeup, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		h.nudge()
		return port.WokeClosed, true
	}
	if h.woken {
		h.woken = false
		return port.WokeCall, true
	}
	return port.WokeTime, false
}

// At sets an alarm and lets a blocked sleep see it.
func (h *Host) At(at port.Time, f func()) {
	h.Clock.At(at, f)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.nudge()
}

// Info names the host "manual".
func (h *Host) Info() port.HostInfo {
	return port.HostInfo{Name: "manual", Timer: "virtual", Wake: "token", Park: "virtual"}
}

// Close ends the current idle; later ones return at once.
func (h *Host) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	h.nudge()
	return nil
}

// Log returns a copy of the idles so far.
func (h *Host) Log() []Idle {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Idle(nil), h.log...)
}

// record writes an idle down and returns the time of its end.
func (h *Host) record(i Idle) port.Time {
	i.End = h.Now()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.log = append(h.log, i)
	return i.End
}
