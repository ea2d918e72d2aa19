package soft

import (
	"context"

	"gpureactor/port"
)

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
	return s.block(ctx, forNumber, t.Target())
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

// drain waits until the stream is at rest, or ctx ends.
func (s *Stream) drain(ctx context.Context) error { return s.block(ctx, forRest, 0) }

// block waits until what it waits for is there, or ctx ends. mu is not held.
func (s *Stream) block(ctx context.Context, kind waitKind, target uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if over, err := s.isEnd(kind, target); over {
		return err
	}
	w := s.waiters.add(kind, target)
	defer s.waiters.remove(w)
	for {
		if err := s.sleep(ctx, w); err != nil {
			return err
		}
		if over, err := s.isEnd(kind, target); over {
			return err
		}
	}
}

// isEnd reports whether a wait is over, and with what. mu is held.
func (s *Stream) isEnd(kind waitKind, target uint64) (bool, error) {
	switch {
	case kind == forNumber:
		return s.ticketEnd(target)
	case s.atRest():
		return true, nil
	case kind == forRestOrLoss:
		err := s.dev.failure()
		return err != nil, err
	}
	return false, nil
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
