package reactor

import (
	"math"
	"time"

	"gpureactor/port"
	"gpureactor/waitplan"
)

// A Completion is the end of a wait that was watched with a token.
type Completion struct {
	// Token is what WatchToken was given.
	Token uint64
	// Ticket was waited for.
	Ticket port.Ticket
	// Err is nil for success.
	Err error
	// Report tells how the wait went.
	Report waitplan.Report
}

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

// WatchToken watches a ticket without a future: its end is handed out by
// [Reactor.Completed] with the token, for a loop that turns the reactor itself.
// It refuses what Watch does.
func (s *Stream) WatchToken(t port.Ticket, o Options, token uint64) error {
	f := oneShots.Get().(*Future)
	err := s.watch(f, t, o, &token)
	if err != nil {
		oneShots.Put(f)
	}
	return err
}

// Completed moves completions to dst, the earliest first, and returns how many;
// fewer than len(dst) when no more are there. It does not look at the words.
func (r *Reactor) Completed(dst []Completion) int {
	r.lock()
	defer r.mu.Unlock()
	n := 0
	for n < len(dst) {
		f := r.ready.take()
		if f == nil {
			break
		}
		dst[n] = Completion{Token: f.token, Ticket: f.Ticket(), Err: f.err, Report: f.report}
		oneShots.Put(f)
		n++
	}
	return n
}

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
	if r.pending == 0 && r.ready.first == nil && bound == port.Forever {
		return Woke, port.NewError(port.Stalled, "none pending")
	}
	r.hold()
	r.forgetOldLook()
	kind := notIdle
	if r.ready.first == nil {
		kind = r.turn(nil, bound)
	}
	r.leave()
	r.looked(kind)
	switch kind {
	case sleeps:
		return Slept, nil
	case parks, polls:
		return Parked, nil
	}
	return Woke, nil
}

// lookGap is the longest time between two turns of an owner's loop over which a
// watched word still counts as watched.
const lookGap = 50 * time.Microsecond

// looked notes that the words were watched until now, by an owner who may be back
// soon.
func (r *Reactor) looked(kind idleKind) {
	r.seen = kind == parks || kind == polls
	r.lookedAt = r.host.Now()
}

// forgetOldLook is called when the owner is back.
func (r *Reactor) forgetOldLook() {
	if r.host.Now().Sub(r.lookedAt) > lookGap {
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
	if !r.baton.held {
		r.forgetOldLook()
	}
	now, ended := r.host.Now(), r.stats.Ended
	to := r.harvest(now, math.MaxInt)
	if r.stats.Ended != ended {
		r.wakeHolder()
		to = r.harvest(now, math.MaxInt) // a failure may have had the first pass leave some out
	}
	if to.kind != sleeps {
		to.until = now
	}
	if !r.baton.held {
		r.looked(to.kind)
		r.idle = idleState{kind: sleeps, until: to.until}
		r.ensureHolder()
	}
	r.finishJobs()
	return to.until, nil
}
