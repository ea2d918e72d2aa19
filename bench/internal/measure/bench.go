package measure

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"time"

	hdrhistogram "github.com/HdrHistogram/hdrhistogram-go"

	"gpureactor/bench/internal/arm"
	"gpureactor/bench/internal/workload"
	"gpureactor/port"
)

// A Stream is a device stream whose store times can be read.
type Stream interface {
	port.Source
	port.Delayer
	// Stored returns the time of the stream's last store, on the clock of the
	// Cell. It must be right once a wait for that store has returned.
	Stored() port.Time
}

// A Cell is one workload with one number of waiters.
type Cell struct {
	Workload workload.Workload
	// Streams are those to wait on, one for each waiter.
	Streams []Stream
	Arms    []arm.Arm
	// Host opens a host for one arm.
	Host func() (port.Host, error)
	// Clock is what latencies are read from.
	Clock port.Clock
	// Rounds is how many counted slices each arm runs.
	Rounds int
	// Slice is how long each takes. It ends after the waits that are under way, and
	// has at least one of the first waiter.
	Slice time.Duration
	// Waits, if not 0, ends a slice after that many waits of each waiter, instead
	// of after its time.
	Waits int
	// Seed is what pieces and orders come from.
	Seed uint64
	// Progress is called after each slice. nil: nobody looks.
	Progress func()
}

// A Result is what one arm did in a cell.
type Result struct {
	Arm arm.Arm
	// Latency holds, in nanoseconds, the time from the device's store to the
	// waiter running, one value for each wait that succeeded.
	Latency *hdrhistogram.Histogram
	// Errors counts waits that failed, and FirstError is the first of them.
	Errors     int64
	FirstError error
	// CPU is the process's CPU time over all slices, Allocs its heap allocations.
	CPU    time.Duration
	Allocs uint64
}

// Waits returns how many waits succeeded.
func (r *Result) Waits() int64 { return r.Latency.TotalCount() }

// Bounds and precision of the histograms: up to ten minutes, to three digits.
const (
	longestLatency = int64(10 * time.Minute)
	digits         = 3
)

// Run measures the cell. It returns a result for each arm, in their order, or the
// cause of ctx, or the error of an arm that could not be opened. Waits that fail
// are counted, not returned.
func (c *Cell) Run(ctx context.Context) (results []Result, err error) {
	b := &bench{Cell: c, results: make([]Result, len(c.Arms))}
	for i, a := range c.Arms {
		b.results[i] = Result{Arm: a, Latency: hdrhistogram.New(1, longestLatency, digits)}
	}
	defer func() { err = errors.Join(err, b.close()) }()
	if err := b.open(); err != nil {
		return nil, err
	}
	if err := b.rounds(ctx); err != nil {
		return nil, err
	}
	return b.results, nil
}

// A bench is a cell that runs.
type bench struct {
	*Cell
	sessions []arm.Session
	waiters  *crew
	results  []Result
}

func (b *bench) open() error {
	sources := make([]port.Source, len(b.Streams))
	for i, s := range b.Streams {
		sources[i] = s
	}
	for _, a := range b.Arms {
		s, err := a.Open(arm.Setup{Sources: sources, Host: b.Host})
		if err != nil {
			return err
		}
		b.sessions = append(b.sessions, s)
	}
	b.waiters = newCrew(b.Cell)
	return nil
}

func (b *bench) close() error {
	if b.waiters != nil {
		b.waiters.dismiss()
	}
	var all []error
	for _, s := range b.sessions {
		all = append(all, s.Close())
	}
	return errors.Join(all...)
}

// rounds runs all slices.
func (b *bench) rounds(ctx context.Context) error {
	order := rand.New(rand.NewPCG(b.Seed, uint64(len(b.Streams))))
	for round := -1; round < b.Rounds; round++ {
		for _, i := range order.Perm(len(b.Arms)) {
			if err := b.slice(ctx, i, round < 0); err != nil {
				return err
			}
			if b.Progress != nil {
				b.Progress()
			}
		}
	}
	return nil
}

// slice runs arm i once. A warm-up takes half the time and is not counted.
func (b *bench) slice(ctx context.Context, i int, warmUp bool) error {
	s, long := slice{ctx: ctx, session: b.sessions[i], arm: i, waits: b.Waits}, b.Slice
	if warmUp {
		long /= 2
	}
	before, after, err := b.waiters.work(s, long)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if warmUp {
		return nil
	}
	return b.count(&b.results[i], before, after)
}

// count adds what the waiters took down.
func (b *bench) count(r *Result, before, after meter) error {
	r.CPU += after.cpu - before.cpu
	r.Allocs += after.allocs - before.allocs
	for _, w := range b.waiters.all {
		for _, latency := range w.latencies {
			// A reading of two processes' clocks may be off by as much as the
			// latency itself: below 0 it is as good as 0.
			if err := r.Latency.RecordValue(max(0, latency)); err != nil {
				return err
			}
		}
		if w.err != nil {
			r.Errors++
			r.FirstError = cmp.Or(r.FirstError, w.err)
		}
	}
	return nil
}
