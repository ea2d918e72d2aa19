package soft

import (
	"context"

	"gpureactor/port"
)

// Close waits for the stream's work, then closes it. It opens gates that were
// left shut. A stepped stream cannot wait for its clock: work that needs the
// clock to move is dropped, and its waits fail with ErrClosed. When the device is
// lost under a kernel or a copy that still runs, Close returns the loss and leaves
// the rest to the device's Close. A second Close does not wait for the first.
func (s *Stream) Close() error {
	if !s.shut() {
		return nil
	}
	if err := s.block(context.Background(), forRestOrLoss, 0); err != nil {
		return err
	}
	s.finish()
	return nil
}

// shut ends the taking of new work and lets what is queued run. It reports
// whether this was the first call.
func (s *Stream) shut() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.closed = true
	for i := range s.queue.len() {
		if o := s.queue.at(i); o.kind == opGate {
			o.gate.open = true
		}
	}
	s.advance()
	if s.dev.engine == nil {
		s.dropStepped()
	}
	s.waiters.wake()
	return true
}

// dropStepped drops what only a clock could bring to an end. A task that another
// goroutine runs is left to end.
func (s *Stream) dropStepped() {
	if s.waiting() > 0 {
		s.ended = port.NewError(port.Closed, "stream "+s.String()+", with work queued that its clock did not come to,").
			WithDriver(StatusDeinitialized, StatusName(StatusDeinitialized))
	}
	s.dropAll()
}

// finish gives the word back once the stream is at rest. A stream that never came
// to rest keeps it for ever, with its page.
func (s *Stream) finish() {
	s.mu.Lock()
	last := s.leave()
	s.mu.Unlock()
	if last {
		s.giveBack()
	}
	s.dev.forget(s)
}
