package gpureactor

import (
	"context"
	"errors"

	"gpureactor/port"
	"gpureactor/reactor"
	"gpureactor/waitplan"
)

// A Stream is a device stream that the runtime's reactor watches: the methods of
// [port.Stream] queue work, the ones below wait for it.
type Stream struct {
	port.Stream
	waits *reactor.Stream
}

// NewStream opens a stream on the device and registers it.
func (rt *Runtime) NewStream() (*Stream, error) {
	s, err := rt.device.NewStream()
	if err != nil {
		return nil, err
	}
	waits, err := rt.reactor.Register(s)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &Stream{Stream: s, waits: waits}, nil
}

// Submit marks the work queued so far and returns the future of its end. point
// names the place in the caller's code where the result is read back.
func (s *Stream) Submit(point string) (*reactor.Future, error) { return s.waits.Submit(point) }

// Await marks the work queued so far and waits for its end, or for that of ctx.
// It allocates nothing in steady state.
func (s *Stream) Await(ctx context.Context, point string) (waitplan.Report, error) {
	return s.waits.Await(ctx, point)
}

// Waits returns the reactor's side of the stream: tickets marked before, plans for
// one wait, futures in the caller's memory.
func (s *Stream) Waits() *reactor.Stream { return s.waits }

// Close waits for the stream's work, closes it, and ends what is pending on it
// still. A second Close does nothing and returns nil.
func (s *Stream) Close() error {
	return errors.Join(s.Stream.Close(), s.waits.Unregister())
}
