// Package arm holds what the benchmark compares: the wait plans, run by the
// reactor, and the peers, what a Go user would write without it.
//
// An [Arm] is opened on a set of sources, one for each waiter. The session waits
// for tickets of those, each waiter on a goroutine of its own:
//
//	s, err := arm.Spin().Open(arm.Setup{Sources: sources})
//	if err != nil {
//		return err
//	}
//	defer s.Close()
//	err = s.Wait(ctx, 0, ticket) // a ticket of sources[0]
package arm

import (
	"context"

	"gpureactor/port"
)

// Kind tells the plans from the peers.
type Kind string

// The kinds.
const (
	Plan Kind = "plan"
	Peer Kind = "peer"
)

// An Arm is one way to wait.
type Arm struct {
	// Name is short and unique. Text says what the arm does: a plan's text, or a
	// sentence about a peer.
	Name string
	Kind Kind
	Text string
	// Open readies the arm for waiters of the sources.
	Open func(Setup) (Session, error)
}

// Setup is what an arm is opened on.
type Setup struct {
	// Sources holds the source of waiter i at i.
	Sources []port.Source
	// Host opens a host for the session to own. Plans need it.
	Host func() (port.Host, error)
}

// A Session is an opened arm.
type Session interface {
	// Wait waits for t, a ticket of source i, until ctx ends; the error is its
	// cause then. Only the goroutine of waiter i calls it with i. In steady state
	// a session allocates nothing of its own.
	Wait(ctx context.Context, i int, t port.Ticket) error
	// Close ends the session, when no Wait runs.
	Close() error
}

// stateless is a session that is no more than its wait.
type stateless func(ctx context.Context, i int, t port.Ticket) error

func (f stateless) Wait(ctx context.Context, i int, t port.Ticket) error { return f(ctx, i, t) }
func (f stateless) Close() error                                         { return nil }
