// Package manual holds a virtual clock and a scripted host, with which every
// decision of the core can be replayed: no test of a wait needs real time.
//
// A [Clock] moves only when told to and runs alarms on its way, so a software
// device driven by it plays its script at exact times. A [Host] idles by moving
// the clock and writes down each idle.
package manual

import (
	"container/heap"
	"sync"
	"time"

	"gpureactor/port"
)

// A Clock is a virtual clock and a [port.Alarm]. Its zero value reads 0. It is
// safe for concurrent use.
type Clock struct {
	// step is held while alarms run: they run one at a time, and never two
	// movers of the clock at once.
	step sync.Mutex

	mu     sync.Mutex // guards what follows
	now    port.Time
	alarms alarmHeap
	order  uint64
}

var _ port.Alarm = (*Clock)(nil)

// Now returns the virtual time.
func (c *Clock) Now() port.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// At runs f when the clock comes to at. An alarm for a time that has passed runs
// at the next move, even one by 0.
func (c *Clock) At(at port.Time, f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.order++
	heap.Push(&c.alarms, alarm{at: at, order: c.order, run: f})
}

// Advance moves the clock by d, running the alarms on the way at their times. A
// negative d counts as 0. An alarm must not call it.
func (c *Clock) Advance(d time.Duration) { c.Set(c.Now().Add(max(d, 0))) }

// Set moves the clock to at, running the alarms on the way; an earlier time
// leaves the clock as it is but runs what is due. An alarm must not call it.
func (c *Clock) Set(at port.Time) {
	c.step.Lock()
	defer c.step.Unlock()
	for {
		f, ok := c.take(at)
		if !ok {
			return
		}
		f()
	}
}

// take moves the clock to the next alarm not after at and returns its function,
// or moves it to at when there is none.
func (c *Clock) take(at port.Time) (func(), bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.alarms) == 0 || c.alarms[0].at > max(at, c.now) {
		c.now = max(c.now, at)
		return nil, false
	}
	a := heap.Pop(&c.alarms).(alarm)
	c.now = max(c.now, a.at)
	return a.run, true
}

// Next returns the time of the earliest alarm, false when none is set.
func (c *Clock) Next() (port.Time, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.alarms) == 0 {
		return 0, false
	}
	return c.alarms[0].at, true
}

// Pending returns the number of alarms set.
func (c *Clock) Pending() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.alarms)
}

type alarm struct {
	at    port.Time
	order uint64 // breaks ties: first set, first run
	run   func()
}

type alarmHeap []alarm

func (h alarmHeap) Len() int { return len(h) }
func (h alarmHeap) Less(i, j int) bool {
	if h[i].at != h[j].at {
		return h[i].at < h[j].at
	}
	return h[i].order < h[j].order
}
func (h alarmHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *alarmHeap) Push(x any)   { *h = append(*h, x.(alarm)) }
func (h *alarmHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = alarm{}
	*h = old[:len(old)-1]
	return last
}
