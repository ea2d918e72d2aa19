package soft

import (
	"slices"

	"gpureactor/port"
)

// A waitKind says what a goroutine blocks for.
type waitKind uint8

const (
	forNumber     waitKind = iota
	forRest                // the stream has nothing queued and nothing runs
	forRestOrLoss          // or the device is lost under what still runs
)

// A waiter is one blocked goroutine. Its channel holds the one wake it needs.
type waiter struct {
	kind   waitKind
	target uint64
	wake   chan struct{}
}

// waiters are the goroutines blocked on a stream, and spare waiters so that a
// block in a steady state allocates nothing. The stream's mutex guards it.
type waiters struct {
	blocked, spare []*waiter
}

func (w *waiters) add(kind waitKind, target uint64) *waiter {
	b := w.take()
	b.kind, b.target = kind, target
	w.blocked = append(w.blocked, b)
	return b
}

// take returns a spare waiter, or a new one.
func (w *waiters) take() *waiter {
	last := len(w.spare) - 1
	if last < 0 {
		return &waiter{wake: make(chan struct{}, 1)}
	}
	b := w.spare[last]
	w.spare = w.spare[:last]
	return b
}

// remove takes b off the list and keeps it as a spare.
func (w *waiters) remove(b *waiter) {
	if i := slices.Index(w.blocked, b); i >= 0 {
		last := len(w.blocked) - 1
		w.blocked[i], w.blocked[last] = w.blocked[last], nil
		w.blocked = w.blocked[:last]
	}
	select {
	case <-b.wake:
	default:
	}
	w.spare = append(w.spare, b)
}

// reach wakes those whose number was reached.
func (w *waiters) reach(done uint64) {
	for _, b := range w.blocked {
		if b.kind == forNumber && port.Reached(done, b.target) {
			b.ring()
		}
	}
}

// wake wakes those that wait for more than a number: each looks for itself.
func (w *waiters) wake() {
	for _, b := range w.blocked {
		b.ring()
	}
}

func (b *waiter) ring() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}
