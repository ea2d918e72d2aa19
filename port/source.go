package port

import (
	"context"
	"fmt"
)

// Status is a driver's answer about a stream that has not failed.
type Status uint8

const (
	// StatusBusy says that queued work has not finished.
	StatusBusy Status = iota
	// StatusIdle says that all work queued before the question has finished.
	StatusIdle
)

// String returns "busy" or "idle".
func (s Status) String() string {
	switch s {
	case StatusBusy:
		return "busy"
	case StatusIdle:
		return "idle"
	}
	return fmt.Sprintf("status(%d)", uint8(s))
}

// A Domain is the vendor context that owns a line's page: what fails together.
// Its identity is its pointer.
type Domain struct{ name string }

// NewDomain returns a domain of its own with a name for logs.
func NewDomain(name string) *Domain { return &Domain{name: name} }

// String returns the name.
func (d *Domain) String() string {
	if d == nil {
		return "domain(none)"
	}
	return d.name
}

// A Source is one device stream seen as a readiness source. All methods may be
// called from any goroutine.
type Source interface {
	// Word returns the stream's word. It is the same for the source's whole
	// life. Reading it is safe between Acquire and Release.
	Word() Word

	// Domain returns what the stream fails together with. Never nil.
	Domain() *Domain

	// Acquire keeps the memory of Word valid until the matching Release, even
	// after the stream or its device is closed. It fails with ErrClosed on a
	// closed source, and then needs no Release. It does not block.
	Acquire() error

	// Release gives back one Acquire. The last one of a closed source frees its
	// memory, so it may block for as long as the driver's free does.
	Release()

	// Mark queues the next number behind the work queued so far and returns its
	// ticket. A refused mark queues nothing and uses up no number. It does not
	// wait for the device.
	Mark() (Ticket, error)

	// Status asks the driver how the stream fares: the authority for failure.
	// The error carries the driver's status and its name ([Error.Driver]). The
	// call may block for milliseconds, so no reactor makes it on its own turn.
	Status() (Status, error)

	// Block is the vendor's own blocking wait: it returns once the ticket's work
	// has finished (nil), the stream failed, or ctx ended (its cause). It may
	// hold an OS thread.
	Block(ctx context.Context, t Ticket) error

	// Retire tells the source that every ticket up to upTo has ended, with err
	// nil for success. Whoever watches the source calls it before any waiter of
	// those tickets runs, in rising order of upTo and one call at a time, so
	// that copies out, memory bindings and failure claims are settled by then.
	// It must neither block for long nor call back into the watcher.
	Retire(upTo uint64, err error)
}

// A Peeker is a source whose completion is not a word that the device stores,
// but a question to be asked, such as a Metal shared event or an event query.
// Its Word is a mirror in host memory that only Peek moves.
type Peeker interface {
	Source
	// Peek asks how far the stream has come, raises the source's word that far
	// and returns the number. It is a call, not a load: watchers count it so.
	Peek() (uint64, error)
}
