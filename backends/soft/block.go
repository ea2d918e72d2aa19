package soft

import (
	"context"
	"slices"

	"gpureactor/port"
)

// A waiter is one blocked goroutine. Its channel holds the one wake it needs.
type waiter struct {
	target uint64
	rest   bool // waits for the stream to come to rest, not for a number
	wake   chan struct{}
}

// waiters are the goroutines blocked on a stream, and spare waiters so that a
// block in a steady state allocates nothing. The stream's mutex guards it.
type waiters struct {
	blocked, spare []*waiter
}

func (w *waiters) add(target uint64, rest bool) *waiter {
	b := w.take()
	b.target, b.rest = target, rest
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
		if !b.rest && port.Reached(done, b.target) {
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

// Block waits on a channel, without polling, until the work before t's mark has
// finished (nil, whatever became of the store), the device is lost, the stream is
// closed with t's work dropped, or ctx ends (its cause). A t of another word is
// refused with ErrForeign, the zero Ticket with code InvalidTicket. A ticket that
// was not marked yet waits for its mark.
func (s *Stream) Block(ctx context.Context, t port.Ticket) error {
	if !t.Valid() {
		return port.NewError(port.InvalidTicket, "the zero ticket belongs to no stream")
	}
	if t.Word() != s.cell.word {
		return port.NewError(port.Foreign, t.String(), "another stream", s.String())
	}
	return s.block(ctx, t.Target(), false)
}

// ticketEnd reports whether a wait for target is over. mu is held.
func (s *Stream) ticketEnd(target uint64) (bool, error) {
	if port.Reached(s.done, target) {
		return true, nil
	}
	if s.ended != nil {
		return true, s.ended
	}
	if s.closed && s.queue.len() == 0 {
		return true, s.closedError()
	}
	err := s.dev.failure()
	return err != nil, err
}

// drain waits until the stream is at rest with nothing queued, or ctx ends.
func (s *Stream) drain(ctx context.Context) error {
	return s.block(ctx, 0, true)
}

// block waits for a number, or for rest. mu is not held.
func (s *Stream) block(ctx context.Context, target uint64, rest bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if over, err := s.isEnd(target, rest); over {
		return err
	}
	w := s.waiters.add(target, rest)
	defer s.waiters.remove(w)
	for {
		if err := s.sleep(ctx, w); err != nil {
			return err
		}
		if over, err := s.isEnd(target, rest); over {
			return err
		}
	}
}

func (s *Stream) isEnd(target uint64, rest bool) (bool, error) {
	if rest {
		return s.atRest(), nil
	}
	return s.ticketEnd(target)
}

// sleep waits for a wake with mu free. A wake counts before the end of ctx.
func (s *Stream) sleep(ctx context.Context, w *waiter) error {
	s.mu.Unlock()
	defer s.mu.Lock()
	select {
	case <-w.wake:
		return nil
	default:
	}
	select {
	case <-w.wake:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
