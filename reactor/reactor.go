package reactor

import (
	"context"
	"sync"

	"gpureactor/deadline"
	"gpureactor/port"
	"gpureactor/waitplan"
)

// A Reactor watches the words of registered streams. Its methods may be called
// from any goroutine.
type Reactor struct {
	cfg    Config
	host   port.Host
	points *deadline.Table
	// ctx ends the blocking driver waits when the reactor closes.
	ctx    context.Context
	cancel context.CancelFunc
	// running counts the background goroutine and what is offloaded.
	// It grows only while mu is held and the reactor is open.
	running sync.WaitGroup

	// watching holds the words of the current park; hit is the one that was found
	// reached, -1 for none, and first the one to ask first. Owned by the holder.
	watching   []watch
	hit, first int
	// parkReady is the method value of reached, made once.
	parkReady func() bool

	mu      sync.Mutex // taken by lock; guards what follows, and the streams and futures
	entries uint64     // how often it was taken
	left    leftover
	closed  bool
	streams map[port.Word]*Stream
	active  []post // streams that turns must look at
	pending int    // futures that have not ended
	queued  int    // those of them that end in a queue
	baton   baton
	// sleepers are the queues whose owners sleep while another holds the baton.
	sleepers []*Queue
	idle     idleState
	seen     bool   // the last idle watched the words
	park     uint64 // the number of the last park
	// lookedAt is when an owner's turn ended that left seen as it is.
	lookedAt port.Time
	readied  int // goroutines that were readied and not yielded to
	from     int // where in active the next harvest begins
	jobs     jobs
	// parked are streams to release after the park, linked by nextRelease.
	parked  *Stream
	stats   Stats
	cancels ctxWake
}

// New returns a reactor. It refuses an invalid config with ErrInvalidConfig, and
// under Strict a plan that needs what the host lacks. It starts no goroutine.
func New(cfg Config) (*Reactor, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	points, err := deadline.NewTable(cfg.Points)
	if err != nil {
		return nil, err
	}
	r := &Reactor{cfg: cfg, host: cfg.Host, points: points, streams: map[port.Word]*Stream{}, park: 1, hit: -1}
	if _, err := r.resolve(cfg.Host.Info().NoWordWait); err != nil {
		return nil, err
	}
	if r.cfg.Offload == nil {
		r.cfg.Offload = func(f func()) { go f() }
	}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	r.parkReady = r.reached
	r.baton.kick = make(chan struct{}, 1)
	r.baton.turn.L = locker{r}
	return r, nil
}

// resolve walks the fallback chain of the configured plans, once, and logs what
// it replaced.
func (r *Reactor) resolve(noWordWait string) (waitplan.Bands, error) {
	res, err := waitplan.ResolveBands(r.cfg.Plans, waitplan.Caps{NoWordWait: noWordWait}, r.cfg.Strict)
	if err != nil {
		return waitplan.Bands{}, err
	}
	if r.cfg.Logger != nil {
		for _, w := range res.Warnings() {
			r.cfg.Logger.Warn(w.Error(), "code", w.Code.Number())
		}
	}
	return res.Running(), nil
}

// Points returns the deadline estimator's table, for diagnostics. What the last
// wait taught may reach it with the next call of a method of the reactor.
func (r *Reactor) Points() *deadline.Table {
	r.lock()
	defer r.mu.Unlock()
	return r.points
}

// Host returns the host it idles on.
func (r *Reactor) Host() port.Host { return r.host }

// Close fails every pending wait with ErrClosed, lets go of the streams, and
// returns once no goroutine of the reactor is left and the host is idle. It waits
// for driver calls under way. It must not be called from an OnDone function. A
// second Close does nothing more. The error is always nil.
func (r *Reactor) Close() error {
	r.lock()
	r.closed = true
	r.cancel()
	err := port.NewError(port.Closed, "reactor")
	for _, s := range r.streams {
		s.abandon(err)
		r.drop(s)
	}
	r.cancels.clear()
	r.rouseAll()
	r.wakeTurners()
	r.kickBackground()
	r.wakeHolder() // an owner who idles by himself after Poll too
	for r.baton.held {
		r.wakeHolder()
		r.baton.turn.Wait()
	}
	r.finishJobs()
	r.running.Wait()
	return nil
}
