package arm

import (
	"context"
	"runtime"

	"gpureactor/port"
)

// relaying is one goroutine that polls the words of all who wait and wakes each by
// a channel. It is written as well as that can be: it scans the armed words only,
// sleeps while there are none, and yields between scans, so that whom it has just
// woken can run on its processor.
func relaying() Arm {
	return Arm{"goroutine-chan", Peer, "one goroutine polls all words, yields in between, and wakes waiters by a channel each",
		func(s Setup) (Session, error) { return newRelay(len(s.Sources)), nil }}
}

type relay struct {
	arrivals chan request
	// results[i] belongs to waiter i. One slot: the relay never waits for it.
	results []chan error
	ended   chan struct{}
}

type request struct {
	ctx    context.Context
	ticket port.Ticket
	waiter int
}

func newRelay(waiters int) *relay {
	r := &relay{
		arrivals: make(chan request, waiters),
		results:  make([]chan error, waiters),
		ended:    make(chan struct{}),
	}
	for i := range r.results {
		r.results[i] = make(chan error, 1)
	}
	go r.run(make([]request, 0, waiters))
	return r
}

// Wait arms the ticket and sleeps on the waiter's channel. The relay looks at ctx.
func (r *relay) Wait(ctx context.Context, i int, t port.Ticket) error {
	r.arrivals <- request{ctx, t, i}
	return <-r.results[i]
}

// Close ends the goroutine.
func (r *relay) Close() error {
	close(r.arrivals)
	<-r.ended
	return nil
}

func (r *relay) run(armed []request) {
	defer close(r.ended)
	for open := true; ; {
		if armed, open = r.admit(armed); !open {
			return
		}
		armed = r.scan(armed)
		runtime.Gosched()
	}
}

// admit takes who has come. It waits for one while nobody is armed.
func (r *relay) admit(armed []request) (all []request, open bool) {
	if len(armed) == 0 {
		first, open := <-r.arrivals
		if !open {
			return nil, false
		}
		armed = append(armed, first)
	}
	for {
		select {
		case next, open := <-r.arrivals:
			if !open {
				return nil, false
			}
			armed = append(armed, next)
		default:
			return armed, true
		}
	}
}

// scan wakes those who are done and returns the others.
func (r *relay) scan(armed []request) []request {
	for i := 0; i < len(armed); {
		a := armed[i]
		switch {
		case a.ticket.Reached():
			r.results[a.waiter] <- nil
		case a.ctx.Err() != nil:
			r.results[a.waiter] <- context.Cause(a.ctx)
		default:
			i++
			continue
		}
		last := len(armed) - 1
		armed[i] = armed[last]
		armed = armed[:last]
	}
	return armed
}
