package reactor

import (
	"context"
	"sync/atomic"

	"gpureactor/deadline"
	"gpureactor/port"
	"gpureactor/waitplan"
)

// The states of a Future. Only the reactor moves them, under its mutex:
//
//	unused -> pending   submitted
//	pending -> ended    completed, failed, cancelled or closed
//	ended -> pending    submitted again
const (
	unused uint32 = iota
	pending
	ended
)

// A Future is one wait on one ticket. It is made by [Stream.Submit] and
// [Stream.Watch], or lies in memory of the caller's and is filled by
// [Stream.WatchInto], which then allocates nothing; such a future may be used
// again once it has ended and nobody reads it any more. Its methods may be called
// from any goroutine. It must not be copied.
type Future struct {
	// state is stored with release order after the result was written, and
	// loaded with acquire order before it is read.
	state atomic.Uint32
	// pooled: the memory goes back to the pool when the queue hands out its end.
	pooled bool

	stream     *Stream
	prev, next *Future // in the stream's list of pending futures
	target     uint64
	start      port.Time
	plan       *waitplan.Plan
	point      *deadline.Point
	waiters    *waiter // goroutines that wait for this future
	extra      *extra  // what few futures need
	queue      *Queue  // that its end is handed out by, under token; nil for none
	token      uint64
	err        error
	report     waitplan.Report
}

// extra is what a future needs that is selected on or followed.
type extra struct {
	done chan struct{}
	then []func(*Future)
	// future and next link the extras whose functions are due.
	future *Future
	next   *extra
}

// Ready reports whether the future has ended. It is one atomic load and does not
// look at the word.
func (f *Future) Ready() bool { return f.state.Load() == ended }

// Err returns nil while the future is pending and after it succeeded, else why it
// failed.
func (f *Future) Err() error {
	if !f.Ready() {
		return nil
	}
	return f.err
}

// Report tells how the wait went; the zero Report while it is pending. A wait
// that failed has no Kind.
func (f *Future) Report() waitplan.Report {
	if !f.Ready() {
		return waitplan.Report{}
	}
	return f.report
}

// Ticket returns the ticket waited for, the zero ticket for an unused future.
func (f *Future) Ticket() port.Ticket {
	if f.stream == nil {
		return port.Ticket{}
	}
	return port.NewTicket(f.stream.word, f.target)
}

// Wait blocks until the future has ended and returns its error, or until ctx has
// and returns the cause of that. Ending ctx ends this call alone: the future
// stays pending and can be waited for again; see [Future.Cancel]. Any number of
// goroutines may wait. The caller may hold the reactor's baton meanwhile.
func (f *Future) Wait(ctx context.Context) error {
	if f.Ready() {
		return f.err
	}
	if f.stream == nil {
		return errUnused
	}
	r := f.stream.r
	r.lock()
	return r.await(ctx, f)
}

var errUnused = port.NewError(port.InvalidTicket, "the future was never submitted")

// Done returns a channel that is closed when the future has ended.
func (f *Future) Done() <-chan struct{} {
	if f.stream == nil {
		return nil
	}
	r := f.stream.r
	r.lock()
	defer r.mu.Unlock()
	x := f.more()
	if x.done == nil {
		x.done = make(chan struct{})
		if f.Ready() {
			close(x.done)
		}
	}
	return x.done
}

// OnDone has fn called once when the future has ended; at once, on the calling
// goroutine, if it has. Else fn runs on whichever goroutine ended the future: one
// that waits on the same reactor, the reactor's own, or one that cancels. It holds
// up all other completions, so it must not block: it may submit and cancel, but
// not wait, turn or close. Functions
// set before the end run in the order they were set.
func (f *Future) OnDone(fn func(*Future)) {
	if f.stream == nil || fn == nil {
		return
	}
	r := f.stream.r
	r.lock()
	if !f.Ready() {
		x := f.more()
		x.then = append(x.then, fn)
		r.mu.Unlock()
		return
	}
	r.mu.Unlock()
	fn(f)
}

// Cancel ends a pending future with ErrCancelled, at once, and reports whether it
// did; the device's work goes on, the word is left alone, and later tickets of
// the same stream are not affected.
func (f *Future) Cancel() bool {
	if f.stream == nil {
		return false
	}
	r := f.stream.r
	r.lock()
	if f.Ready() {
		r.mu.Unlock()
		return false
	}
	r.stats.Cancelled++
	f.stream.cancel(f, errCancelled)
	r.finishJobs()
	return true
}

var errCancelled error = port.NewError(port.Cancelled)

// more returns the extra part, made when first needed. The mutex is held.
func (f *Future) more() *extra {
	if f.extra == nil {
		f.extra = &extra{future: f}
	}
	return f.extra
}

// fire publishes the result, which is written already, and wakes who waits for
// it. The mutex is held, and the source knows what retired. Once the state is
// stored f belongs to whoever sees that: it may be pending again, at a reactor with
// another mutex, so nothing here looks at it any more.
func (r *Reactor) fire(f *Future) {
	r.pending--
	if f.queue != nil {
		f.queue.add(f)
	}
	x, woken := f.extra, r.baton.dismiss(f)
	f.state.Store(ended)
	for w := woken; w != nil; {
		mate := w.mate
		w.mate = nil
		w.signal()
		r.readied++
		w = mate
	}
	if x == nil {
		return
	}
	if x.done != nil {
		close(x.done)
	}
	if len(x.then) > 0 {
		r.jobs.call(x)
	}
}
