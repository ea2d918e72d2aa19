package fill

import (
	"errors"
	"slices"
	"time"

	"gpureactor/reactor"
)

// Stats counts what an executor has done.
type Stats struct {
	// Tasks came, Ended are over; of those Failed with an error, and among these
	// Panicked by a panic.
	Tasks, Ended, Failed, Panicked uint64
	// Polls counts slices: each time that a task got the thread.
	Polls uint64
	// Woke counts looks at the words that readied a task without idling, Looks all
	// that were made between tasks.
	Woke, Looks uint64
	// Slept and Parked count idles: sleeps to a deadline or while another held the
	// baton, and watches of the words.
	Slept, Parked uint64
	// Idle is the time spent in those, Busy that in tasks.
	Idle, Busy time.Duration
	// Blocking counts functions that ran on goroutines of their own, Wakes the
	// parks that a Waker ended.
	Blocking, Wakes uint64
	// Overruns counts slices longer than the budget. Overran names the tasks, at most
	// 16 names.
	Overruns uint64
	Overran  []Overrun
}

// An Overrun tells of the tasks of one name that kept the thread too long.
type Overrun struct {
	Name    string
	Count   uint64
	Longest time.Duration
}

// Stats returns what was counted up to the executor's last idle, or in all when Run
// has ended.
func (e *Executor) Stats() Stats {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.published
}

// publish lets others see the counters.
func (e *Executor) publish() {
	e.mu.Lock()
	defer e.mu.Unlock()
	old := e.published
	e.published = e.stats
	if e.published.Overran = old.Overran; e.stats.Overruns != old.Overruns {
		e.published.Overran = slices.Clone(e.stats.Overran) // who has the old one keeps it
	}
}

// final returns the counters of a run that is over.
func (e *Executor) final() Stats {
	e.publish()
	return e.Stats()
}

func (s *Stats) failed(err error) {
	s.Failed++
	if _, ok := errors.AsType[*PanicError](err); ok {
		s.Panicked++
	}
}

// idled counts an idle. A turn that found something did not idle.
func (s *Stats) idled(how reactor.Turned, d time.Duration) {
	switch how {
	case reactor.Slept:
		s.Slept++
	case reactor.Parked:
		s.Parked++
	default:
		return
	}
	s.Idle += d
}

// overran counts a slice that was too long.
func (s *Stats) overran(name string, ran time.Duration) {
	s.Overruns++
	for i := range s.Overran {
		if o := &s.Overran[i]; o.Name == name {
			o.Count++
			o.Longest = max(o.Longest, ran)
			return
		}
	}
	if len(s.Overran) < mostNamed {
		s.Overran = append(s.Overran, Overrun{name, 1, ran})
	}
}
