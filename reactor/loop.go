package reactor

import (
	"math"
	"time"

	"gpureactor/port"
)

// A Turned says what one turn did.
type Turned uint8

const (
	// Woke: something ended, or there was other work; the turn did not idle.
	Woke Turned = iota
	// Slept: nothing had ended; the turn slept.
	Slept
	// Parked: nothing had ended; the turn watched the words.
	Parked
)

// String returns "woke", "slept" or "parked".
func (t Turned) String() string { return [...]string{"woke", "slept", "parked"}[min(t, Parked)] }

// Turn makes one pass on the calling goroutine: it ends what was reached and wakes
// who waits for it, and when there was nothing it idles until the next step of a
// wait, a registration that needs an earlier one, or bound. It takes the baton
// from a goroutine that waits and gives it back, so it may be called beside
// ordinary waiters. It returns ErrClosed when the reactor is closed, and
// ErrStalled instead of an idle that nothing registered could ever end: bound is
// Forever and nothing is pending.
func (r *Reactor) Turn(bound port.Time) (Turned, error) {
	r.lock()
	defer r.mu.Unlock()
	r.claim()
	if r.closed {
		return Woke, port.NewError(port.Closed, "reactor")
	}
	if r.pending == 0 && bound == port.Forever {
		return Woke, port.NewError(port.Stalled, "none pending")
	}
	r.hold()
	r.forgetOldLook(r.host.Now())
	kind := r.turn(nil, bound)
	r.leave()
	r.looked(kind, r.host.Now())
	return kind.turned(), nil
}

// turned says the same of a turn.
func (k idleKind) turned() Turned {
	switch k {
	case sleeps:
		return Slept
	case parks, polls:
		return Parked
	}
	return Woke
}

// lookGap is the longest time between two turns of an owner's loop over which a
// watched word still counts as watched.
const lookGap = 50 * time.Microsecond

// looked notes that the words were watched until now, by an owner who may be back
// soon.
func (r *Reactor) looked(kind idleKind, now port.Time) {
	r.seen = kind == parks || kind == polls
	r.lookedAt = now
}

// forgetOldLook is called when the owner is back.
func (r *Reactor) forgetOldLook(now port.Time) {
	if now.Sub(r.lookedAt) > lookGap {
		r.seen = false
	}
}

// claim waits until the baton is free, before all waiters.
func (r *Reactor) claim() {
	r.baton.turners++
	for r.baton.held && !r.closed {
		r.wakeHolder()
		r.baton.turn.Wait()
	}
	r.baton.turners--
}

// Poll makes one pass that does not idle, and returns when the next is due: at
// once (a time that has passed) while words are watched, Forever when nothing is
// pending. Until the next Turn, Poll or Wait, a registration that needs an earlier
// pass calls the host's Wake. It returns ErrClosed when the reactor is closed.
func (r *Reactor) Poll() (next port.Time, err error) {
	r.lock()
	if r.closed {
		r.mu.Unlock()
		return port.Forever, port.NewError(port.Closed, "reactor")
	}
	now, ended := r.host.Now(), r.stats.Ended
	if !r.baton.held {
		r.forgetOldLook(now)
	}
	to := r.harvest(now, math.MaxInt)
	if r.stats.Ended != ended {
		r.wakeHolder()
		to = r.harvest(now, math.MaxInt) // a failure may have had the first pass leave some out
	}
	if to.kind != sleeps {
		to.until = now
	}
	if !r.baton.held {
		r.looked(to.kind, now)
		r.idle = idleState{kind: sleeps, until: to.until}
		r.ensureHolder()
	}
	r.finishJobs()
	return to.until, nil
}
