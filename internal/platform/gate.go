package platform

import "sync/atomic"

// A gate decides when descriptors may be closed: once it is shut and nobody is
// inside. Its state is the number of those inside, and the sign bit once it is
// shut.
//
// Who frees is decided by one word. After shut no enter succeeds, so the count
// only falls; the one call that brings the word to exactly the sign bit (the shut
// that finds nobody inside, or the leave of the last) reports true, and no other.
type gate struct{ state atomic.Int64 }

const shutBit = -1 << 63

// enter keeps the descriptors open until leave. It fails once the gate is shut.
func (g *gate) enter() bool {
	for {
		n := g.state.Load()
		if n < 0 {
			return false
		}
		if g.state.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// leave reports whether the caller has to free.
func (g *gate) leave() bool { return g.state.Add(-1) == shutBit }

// shut reports whether the caller has to free. Only one call may shut a gate.
func (g *gate) shut() bool { return g.state.Or(shutBit) == 0 }
