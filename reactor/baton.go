package reactor

import (
	"context"
	"sync"

	"gpureactor/port"
)

// baton is the right to idle on the host, and the queue for it. The reactor's
// mutex guards it.
//
// It is free, held, or free and offered to a waiter that was woken for it. Who
// comes first takes it, be it the waiter it was offered to or another: a goroutine
// that is running is better than one that will be. Turn callers go before waiters,
// waiters before the background.
type baton struct {
	held       bool
	background bool   // the holder is the reactor's own goroutine
	owner      *Queue // the holder's, if that is the owner of one
	started    bool   // that goroutine exists
	offered    *waiter
	newest     *waiter // waiters that sleep, the latest first
	turners    int     // callers of Turn that want it
	turn       sync.Cond
	kick       chan struct{} // starts the background's next look
}

// A waiter is one goroutine that sleeps until its future ends or the baton is
// offered to it. mu of the reactor guards it, but for offered.
type waiter struct {
	future       *Future
	older, newer *waiter // in the baton's queue
	mate         *waiter // the next waiter of the same future
	queued       bool
	// offered is written before the signal that its reader waits for.
	offered bool
	// signalled holds one token, for both reasons to wake.
	signalled chan struct{}
}

var waiters = sync.Pool{New: func() any { return &waiter{signalled: make(chan struct{}, 1)} }}

func (w *waiter) signal() {
	select {
	case w.signalled <- struct{}{}:
	default:
	}
}

// joinQueue puts a waiter of f into the queue.
func (b *baton) joinQueue(f *Future) *waiter {
	w := waiters.Get().(*waiter)
	w.future, w.offered, w.queued = f, false, true
	w.older, w.newer = b.newest, nil
	if b.newest != nil {
		b.newest.newer = w
	}
	b.newest = w
	w.mate, f.waiters = f.waiters, w
	return w
}

// dismiss takes all waiters of f out of the queue and off f, and returns them
// linked by mate.
func (b *baton) dismiss(f *Future) *waiter {
	first := f.waiters
	for w := first; w != nil; w = w.mate {
		b.unlink(w)
	}
	f.waiters = nil
	return first
}

// leaveQueue takes w out of the queue and off its future, if it is there.
func (b *baton) leaveQueue(w *waiter) {
	if !w.queued {
		return
	}
	b.unlink(w)
	for at := &w.future.waiters; *at != nil; at = &(*at).mate {
		if *at == w {
			*at = w.mate
			break
		}
	}
	w.mate = nil
}

// unlink takes w out of the queue.
func (b *baton) unlink(w *waiter) {
	w.queued = false
	if w.newer != nil {
		w.newer.older = w.older
	} else {
		b.newest = w.older
	}
	if w.older != nil {
		w.older.newer = w.newer
	}
	w.older, w.newer = nil, nil
}

// await waits for f. The mutex is held on entry and free on return.
func (r *Reactor) await(ctx context.Context, f *Future) error {
	for f.state.Load() != ended {
		if ctx.Err() != nil {
			r.ensureHolder() // an offer to this waiter is void
			r.mu.Unlock()
			return context.Cause(ctx)
		}
		if r.mayTake() {
			if r.take(ctx, f) {
				return nil
			}
			continue
		}
		if r.sleepQueued(ctx, f) {
			return f.err
		}
	}
	r.mu.Unlock()
	return f.err
}

// mayTake says that the baton is free for a waiter, and that turning is of use:
// streams whose driver is blocked on need no turns.
func (r *Reactor) mayTake() bool {
	return !r.baton.held && r.baton.turners == 0 && len(r.active) > 0
}

// take turns the loop until f has ended, ctx has, or a caller of Turn wants it. It
// returns true, with the mutex free, when f succeeded and nothing is left to do,
// else false with the mutex held.
func (r *Reactor) take(ctx context.Context, f *Future) bool {
	r.hold()
	r.cancels.watch(r, ctx)
	for r.baton.turners == 0 && len(r.active) > 0 {
		if f.state.Load() == ended || ctx.Err() != nil {
			break
		}
		next, idles := r.pass(f)
		switch {
		case !idles:
		case next.kind == sleeps || !r.isAlone(f, nil):
			r.rest(next)
		default:
			if _, over := r.restAlone(f, next); over {
				return true
			}
		}
	}
	r.leave()
	return false
}

// sleepQueued sleeps until f has ended, the baton is offered or ctx has ended.
// The mutex is held on entry. It returns true, with the mutex free, when f has
// ended and nothing is left to do, else false with the mutex held.
func (r *Reactor) sleepQueued(ctx context.Context, f *Future) bool {
	w := r.baton.joinQueue(f)
	r.ensureHolder()
	r.mu.Unlock()
	woken := w.sleep(ctx)
	// A waiter that is offered the baton still stands in the queue, so one that was
	// taken out first can have one signal only.
	if woken && f.state.Load() == ended && !w.offered {
		w.future = nil
		waiters.Put(w)
		return true
	}
	r.lock()
	r.retireWaiter(w)
	return false
}

// sleep waits for the signal and reports whether it came before the end of ctx.
func (w *waiter) sleep(ctx context.Context) bool {
	over := ctx.Done()
	if over == nil { // half the price of a select
		<-w.signalled
		return true
	}
	select {
	case <-w.signalled:
		return true
	case <-over:
		return false
	}
}

// retireWaiter takes w back after it slept. An offer that it does not use goes to
// the next.
func (r *Reactor) retireWaiter(w *waiter) {
	r.baton.leaveQueue(w)
	select {
	case <-w.signalled:
	default:
	}
	if r.baton.offered == w {
		r.baton.offered = nil
		if w.future.state.Load() == ended {
			r.ensureHolder()
		}
	}
	w.future = nil
	waiters.Put(w)
}

// hold marks the baton as taken.
func (r *Reactor) hold() { r.baton.held = true }

// leave gives the baton up and sees to the next holder.
func (r *Reactor) leave() {
	r.baton.held, r.baton.background, r.baton.owner = false, false, nil
	r.idle = idleState{}
	r.ensureHolder()
	if r.closed {
		r.wakeTurners() // Close waits for the baton too
	}
	if r.baton.offered == nil {
		r.seen = false // nobody looks from here on
	}
}

// ensureHolder finds someone for a free baton, if turning is of use, and takes it
// back from the background when somebody waits.
func (r *Reactor) ensureHolder() {
	b := &r.baton
	switch {
	case b.turners > 0:
		r.wakeTurners()
		r.wakeHolder()
	case b.held:
		if b.background && (b.newest != nil || len(r.sleepers) > 0) {
			r.wakeHolder()
		}
	case r.closed || b.offered != nil:
	case b.newest != nil && len(r.active) > 0:
		b.offered = b.newest
		b.offered.offered = true
		r.stats.Handovers++
		b.offered.signal()
	case len(r.sleepers) > 0:
		r.offerSleeper()
	case r.backgroundNeeded():
		r.kickBackground()
	}
}

func (r *Reactor) wakeTurners() { r.baton.turn.Broadcast() }

// kickBackground has the reactor's own goroutine look whether it is needed.
func (r *Reactor) kickBackground() {
	if r.cfg.NoBackground {
		return
	}
	if !r.baton.started && !r.closed {
		r.baton.started = true
		r.running.Add(1)
		go r.background()
	}
	select {
	case r.baton.kick <- struct{}{}:
	default:
	}
}

// background turns the loop while something is pending and nobody waits.
func (r *Reactor) background() {
	defer r.running.Done()
	r.lock()
	for !r.closed {
		if r.baton.held || !r.backgroundNeeded() {
			r.mu.Unlock()
			<-r.baton.kick
			r.lock()
			continue
		}
		r.hold()
		r.baton.background = true
		for r.backgroundNeeded() {
			r.turn(nil, port.Forever)
		}
		r.leave()
	}
	r.mu.Unlock()
}

// backgroundNeeded says that something is pending that nobody attends to: no waiter,
// no loop of a user's. Waits that end in a queue are its owner's to turn for.
func (r *Reactor) backgroundNeeded() bool {
	return !r.closed && len(r.active) > 0 && r.pending > r.queued &&
		r.baton.newest == nil && r.baton.turners == 0 && len(r.sleepers) == 0
}
