package platform

import (
	"time"

	"gpureactor/port"
)

// A GoTimer blocks on a Go timer and a channel. It is there on every system and
// as exact as the runtime's timers, which on an idle Linux machine is 1 ms.
type GoTimer struct {
	timer *time.Timer
	// rings has one slot: a ring that finds it full is the ring in it.
	rings chan struct{}
}

var _ Blocker = (*GoTimer)(nil)

// NewGoTimer returns a blocker without events.
func NewGoTimer() *GoTimer {
	g := &GoTimer{timer: time.NewTimer(time.Hour), rings: make(chan struct{}, 1)}
	g.timer.Stop()
	return g
}

// Wait blocks until at or a ring.
func (g *GoTimer) Wait(at, now port.Time) {
	switch {
	case at <= now:
	case at == port.Forever:
		<-g.rings
	default:
		g.timer.Reset(at.Sub(now))
		select {
		case <-g.rings:
			g.timer.Stop()
		case <-g.timer.C:
		}
	}
}

// Watching reports false: there are no events.
func (g *GoTimer) Watching() bool { return false }

// Deliver reports false: there are no events.
func (g *GoTimer) Deliver() bool { return false }

// HoldsProcessor reports false.
func (g *GoTimer) HoldsProcessor() bool { return false }

// Ring ends the current Wait, or else the next.
func (g *GoTimer) Ring() {
	select {
	case g.rings <- struct{}{}:
	default:
	}
}

// Free holds nothing back.
func (g *GoTimer) Free() error { return nil }

// String returns "go timer, channel".
func (g *GoTimer) String() string { return "go timer, channel" }
