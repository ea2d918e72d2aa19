package remote

import (
	"slices"
	"sync"

	"gpureactor/port"
)

// alarms keeps what is to run when, and is what drives the child's device. All
// runs on the engine's goroutine; the mutex is there because an Alarm may be set
// from any.
type alarms struct {
	port.Clock

	mu sync.Mutex
	// queue is sorted by time, the earliest last; of equal times the first set
	// stands behind.
	queue []alarm
}

type alarm struct {
	at  port.Time
	run func()
}

var _ port.Alarm = (*alarms)(nil)

// At runs f in the engine's first round at or after at.
func (a *alarms) At(at port.Time, f func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	i, _ := slices.BinarySearchFunc(a.queue, at, func(e alarm, at port.Time) int {
		if e.at > at {
			return -1
		}
		return 1
	})
	a.queue = slices.Insert(a.queue, i, alarm{at, f})
}

// next returns the time of the earliest alarm, Forever when there is none.
func (a *alarms) next() port.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.queue) == 0 {
		return port.Forever
	}
	return a.queue[len(a.queue)-1].at
}

// fire runs what is due at now and reports whether anything was.
func (a *alarms) fire(now port.Time) bool {
	fired := false
	for {
		f := a.take(now)
		if f == nil {
			return fired
		}
		f()
		fired = true
	}
}

func (a *alarms) take(now port.Time) func() {
	a.mu.Lock()
	defer a.mu.Unlock()
	last := len(a.queue) - 1
	if last < 0 || a.queue[last].at > now {
		return nil
	}
	f := a.queue[last].run
	a.queue[last] = alarm{}
	a.queue = a.queue[:last]
	return f
}
