package remote

import (
	"context"
	"errors"
	"io"
	"strconv"
	"sync"
	"time"

	"gpureactor/port"
)

// A Stream is one stream of the child's device. Work is handed over with the mark
// behind it, as drivers do that gather calls into one submission.
type Stream struct {
	device         *Device
	word, stamp    port.Word
	taken, blocked port.Word
	commands       cells

	// blocking holds a token while a goroutine is in Block, which has the sleeper
	// to itself.
	blocking chan struct{}
	sleeper  *sleeper

	mu      sync.Mutex // guards what follows
	pending time.Duration
	marked  uint64
	closed  bool
}

var (
	_ port.Source  = (*Stream)(nil)
	_ port.Delayer = (*Stream)(nil)
)

// newStream returns stream i, whose bell has the descriptor fd.
func newStream(d *Device, i, fd int) *Stream {
	return &Stream{
		device: d, sleeper: newSleeper(fd), blocking: make(chan struct{}, 1),
		word: word(d.layout.words(), i), stamp: word(d.layout.stamps(), i),
		taken: d.layout.taken(i), blocked: d.layout.blocked(i), commands: d.layout.commands(i),
	}
}

// Word returns the completion word.
func (s *Stream) Word() port.Word { return s.word }

// Domain returns what all streams of the device fail together with.
func (s *Stream) Domain() *port.Domain { return s.device.domain }

// Stored returns when the child made its last store to the word. Like the word it
// may be read between Acquire and Release.
func (s *Stream) Stored() port.Time { return port.Time(s.stamp.Load()) }

// Acquire keeps the page mapped.
func (s *Stream) Acquire() error { return s.device.acquire() }

// Release gives back an Acquire.
func (s *Stream) Release() { s.device.layout.page.Release() }

// Retire does nothing: no memory hangs on a ticket of this device.
func (s *Stream) Retire(uint64, error) {}

// Delay adds d to the work that the next mark hands over. It refuses a negative d
// with ErrOutOfRange.
func (s *Stream) Delay(d time.Duration) error {
	if d < 0 {
		return port.NewError(port.OutOfRange, "delay", d.String(), "0 or more")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return err
	}
	s.pending = time.Duration(port.Time(s.pending).Add(d))
	return nil
}

// Mark hands the work over, with the store of the next number behind it. It
// refuses when the child is Depth marks behind (MarkRefused), is gone
// (ErrDeviceLost), or the device is closed (ErrClosed). It allocates nothing.
func (s *Stream) Mark() (port.Ticket, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return port.Ticket{}, err
	}
	if s.marked-s.taken.Load() >= Depth {
		return port.Ticket{}, errQueueFull
	}
	s.marked++
	c := s.commands.cell(s.marked)
	c.queued.Store(uint64(s.device.clock.Now()))
	c.busy.Store(uint64(s.pending))
	c.number.Store(s.marked)
	s.pending = 0
	s.device.ring()
	return port.NewTicket(s.word, s.marked), nil
}

var errQueueFull = port.NewError(port.MarkRefused, strconv.Itoa(Depth)+" marks wait in the stream's queue")

// usable says whether work can be queued. mu is held.
func (s *Stream) usable() error {
	if s.closed {
		return errClosed
	}
	return s.device.Err()
}

// Status reads shared memory: it costs no call. A child that is gone fails it with
// ErrDeviceLost.
func (s *Stream) Status() (port.Status, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return port.StatusBusy, err
	}
	if port.Reached(s.word.Load(), s.marked) {
		return port.StatusIdle, nil
	}
	return port.StatusBusy, nil
}

// blockBound is how long Block sleeps before it looks at its context: no vendor's
// blocking wait can be interrupted either.
const blockBound = 20 * time.Millisecond

// Block sleeps in the kernel, holding an OS thread, until the child's store for t
// woke it. It notices the end of ctx within 20 ms, that of the child at once. Of
// several goroutines that block on one stream one sleeps, and the others queue up.
// It allocates nothing.
func (s *Stream) Block(ctx context.Context, t port.Ticket) error {
	if t.Word() != s.word {
		return port.NewError(port.Foreign, t.String(), "another stream", "this one")
	}
	select {
	case s.blocking <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-s.blocking }()
	if s.isClosed() {
		return errClosed
	}
	return s.sleepFor(ctx, t)
}

var errClosed = port.NewError(port.Closed, "stream")

// isClosed is also what keeps Block from the page: close sets it before it waits
// for those who block, and the page goes after that.
func (s *Stream) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// sleepFor announces the target before it looks at the word, and the child looks
// at the announcement after its store: one of the two sees the other.
func (s *Stream) sleepFor(ctx context.Context, t port.Ticket) error {
	s.blocked.Store(t.Target())
	defer s.blocked.Store(0)
	for !t.Reached() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := s.device.Err(); err != nil {
			return err
		}
		switch err := s.sleeper.sleep(blockBound); {
		case errors.Is(err, io.EOF):
			<-s.device.lost
		case err != nil:
			return port.NewError(port.Backend, "poll of the stream's bell", err.Error()).WithCause(err)
		}
	}
	return nil
}

// close refuses what comes later, and returns once nobody blocks or marks.
func (s *Stream) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.blocking <- struct{}{}
	<-s.blocking
}
