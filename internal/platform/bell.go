package platform

import "sync/atomic"

// The bits of a bell's state, and who moves them.
const (
	// rung is the wake token. Any goroutine sets it, the sleeper takes it.
	rung uint32 = 1 << iota
	// asleep says that the sleeper blocks or is about to. The sleeper moves it.
	asleep
	// closed is set once, by any goroutine.
	closed
)

// A bell holds the wake token and decides who has to wake the sleeper from its
// block. All moves are read-modify-writes of one word, so they have one order,
// and no wake is lost:
//
//   - wake before lieDown: lieDown finds the token, and there is no block;
//   - lieDown before wake: wake finds asleep and no token, and rings. The ring
//     is remembered by what it rings (a descriptor's readiness, a channel's
//     slot), so it may come before, within or after the block.
//
// A ring may be late: its block ended for another reason, and it ends a later
// one. That costs the sleeper one more look at the word, which decides.
//
// Each wake writes the word even if the token is there: the sleeper's take then
// follows it in the word's order, and what was written before the wake is seen
// after the sleep, whoever brought the token.
type bell struct{ state atomic.Uint32 }

// wake leaves the token. It reports whether the caller must ring: the first wake
// of a block does.
func (b *bell) wake() bool { return b.state.Or(rung) == asleep }

// close marks the bell. It reports whether this was the first close and whether
// the caller must ring.
func (b *bell) close() (first, ring bool) {
	old := b.state.Or(closed)
	return old&closed == 0, old&(closed|asleep) == asleep
}

// lieDown announces a block. It reports false, and announces nothing, when there
// is a token or the bell is closed.
func (b *bell) lieDown() bool {
	old := b.state.Or(asleep)
	if old&asleep != 0 {
		panic("BUG: two goroutines sleep on one host at once")
	}
	if old == 0 {
		return true
	}
	b.rise()
	return false
}

// rise ends what lieDown announced.
func (b *bell) rise() { b.state.And(^asleep) }

// look returns the state; zero means that nothing ends a sleep. Its partners are
// the Or of wake and of close.
func (b *bell) look() uint32 { return b.state.Load() &^ asleep }

// take takes the token. The partner of its acquire is the Or of every wake since
// the last take.
func (b *bell) take() { b.state.And(^rung) }
