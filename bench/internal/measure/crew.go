package measure

import (
	"context"
	"runtime"
	"sync"
	"time"

	"gpureactor/bench/internal/arm"
	"gpureactor/bench/internal/workload"
	"gpureactor/port"
)

// mostWaits is how many waits a waiter takes down in one slice, and so the most
// that it makes.
const mostWaits = 1 << 14

// A slice is what the waiters are told to do.
type slice struct {
	ctx     context.Context
	session arm.Session
	arm     int
	// waits bounds the waits of each waiter, 0 is as many as it can take down.
	waits int
	// until is when no more waits begin, but for the first one of the first waiter.
	until port.Time
	// staggered has the waiters start one after the other.
	staggered bool
}

// A crew holds the waiters' goroutines, which last for the whole cell, so that a
// slice starts none and allocates nothing.
type crew struct {
	clock port.Clock
	// counted says that the cell bounds waits and not time.
	counted bool
	all     []*waiter
	working sync.WaitGroup
	living  sync.WaitGroup
}

// A waiter owns a stream. Its goroutine writes the results, and the crew reads
// them between slices.
type waiter struct {
	crew   *crew
	index  int
	stream Stream
	// pieces holds a generator for each arm: all arms see the same work.
	pieces []*workload.Generator
	// late is how long after the first waiter this one starts, so that streams do
	// not run in step.
	late  time.Duration
	timer *time.Timer
	tasks chan slice

	latencies []int64
	err       error
}

func newCrew(c *Cell) *crew {
	crew := &crew{clock: c.Clock, counted: c.Waits > 0}
	mean, n := c.Workload.Mean(), len(c.Streams)
	most := mostWaits
	if c.Waits > 0 {
		most = c.Waits
	}
	for i, s := range c.Streams {
		w := &waiter{
			crew: crew, index: i, stream: s, tasks: make(chan slice), latencies: make([]int64, 0, most),
			late: mean * time.Duration(i) / time.Duration(n), timer: time.NewTimer(time.Hour),
		}
		w.timer.Stop()
		for range c.Arms {
			w.pieces = append(w.pieces, c.Workload.Generate(c.Seed+uint64(i)))
		}
		crew.all = append(crew.all, w)
		crew.living.Go(w.live)
	}
	return crew
}

// work has all waiters do a slice of that length, and returns the readings around
// it. They go round once before that: the garbage collection has emptied the pools
// that arms keep, and the device's process has gone to sleep.
func (c *crew) work(s slice, long time.Duration) (before, after meter, err error) {
	runtime.GC()
	prime := s
	prime.waits = 1
	c.do(prime, long/4)
	if before, err = readBefore(); err != nil {
		return before, after, err
	}
	s.staggered = true
	c.do(s, long)
	after, err = readAfter()
	return before, after, err
}

// do has all waiters do a slice. One that is bounded by a number of waits has no
// end in time.
func (c *crew) do(s slice, long time.Duration) {
	if s.until = c.clock.Now().Add(long); c.counted {
		s.until = port.Forever
	}
	c.working.Add(len(c.all))
	for _, w := range c.all {
		w.tasks <- s
	}
	c.working.Wait()
}

// dismiss ends the waiters' goroutines.
func (c *crew) dismiss() {
	for _, w := range c.all {
		close(w.tasks)
	}
	c.living.Wait()
}

func (w *waiter) live() {
	for s := range w.tasks {
		w.latencies, w.err = w.latencies[:0], nil
		if w.late > 0 && s.staggered {
			w.startLate(s.ctx)
		}
		w.loop(s)
		w.crew.working.Done()
	}
}

func (w *waiter) startLate(ctx context.Context) {
	w.timer.Reset(w.late)
	select {
	case <-w.timer.C:
	case <-ctx.Done():
		w.timer.Stop()
	}
}

// loop stops at the first wait that fails.
func (w *waiter) loop(s slice) {
	for w.goesOn(s) {
		latency, err := w.wait(s)
		if err != nil {
			w.err = err
			return
		}
		w.latencies = append(w.latencies, latency)
	}
}

// goesOn lets a slice end in time where waiters take turns on too few cores: one
// that comes first to run when the time is over makes no wait.
func (w *waiter) goesOn(s slice) bool {
	made := len(w.latencies)
	switch {
	case s.ctx.Err() != nil || made == cap(w.latencies) || s.waits > 0 && made == s.waits:
		return false
	case w.index == 0 && made == 0:
		return true
	}
	return w.crew.clock.Now() < s.until
}

// wait queues a piece, waits for it, and returns how late after the store that
// was: the clock is read first thing.
func (w *waiter) wait(s slice) (latency int64, err error) {
	if err := w.stream.Delay(w.pieces[s.arm].Next()); err != nil {
		return 0, err
	}
	t, err := w.stream.Mark()
	if err != nil {
		return 0, err
	}
	err = s.session.Wait(s.ctx, w.index, t)
	now := w.crew.clock.Now()
	return int64(now.Sub(w.stream.Stored())), err
}
