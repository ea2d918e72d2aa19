package fill

import (
	"context"
	"sync"
	"sync/atomic"

	"gpureactor/port"
)

// A letter tells the executor's goroutine what happened elsewhere.
type letter struct {
	task *Task
	what event
}

// event is what a letter tells.
type event uint8

const (
	brought event = iota // a new task
	woke                 // a Waker of the task was used
	called               // a function of Blocking has ended
)

// An inbox takes letters from any goroutine. No letter is lost between a look and
// an idle: the executor stores idles and then loads any, a sender stores any and
// then loads idles, so one of them sees the other.
type inbox struct {
	any   atomic.Bool
	idles atomic.Bool
	// poke holds a token for an executor that cannot idle on its reactor.
	poke chan struct{}

	mu      sync.Mutex // guards what follows
	letters []letter
	spare   []letter
	closed  bool // no new tasks any more
	sealed  bool // no letters at all: Run has ended
	cause   error
}

// post leaves a letter. A new task is refused when the inbox is closed.
func (b *inbox) post(e *Executor, l letter) error {
	b.mu.Lock()
	if b.sealed && l.what != brought {
		b.mu.Unlock()
		return nil
	}
	if b.closed && l.what == brought {
		defer b.mu.Unlock()
		return port.NewError(port.Closed, "executor").WithCause(b.cause)
	}
	b.letters = append(b.letters, l)
	b.any.Store(true)
	b.mu.Unlock()
	b.rouse(e)
	return nil
}

// rouse ends the executor's idle, if it idles.
func (b *inbox) rouse(e *Executor) {
	if b.idles.Load() {
		e.queue.Wake()
	}
	select {
	case b.poke <- struct{}{}:
	default:
	}
}

// beginIdle reports whether the executor may idle: nothing has come.
func (b *inbox) beginIdle() bool {
	b.idles.Store(true)
	if b.any.Load() {
		b.idles.Store(false)
		return false
	}
	return true
}

func (b *inbox) endIdle() { b.idles.Store(false) }

// close has new tasks refused from now on, unless one is waiting, and reports
// whether it did. With a cause it closes in any case.
func (b *inbox) close(cause error) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if cause == nil && len(b.letters) > 0 {
		return false
	}
	if !b.closed {
		b.closed, b.cause = true, cause
	}
	return true
}

// seal has new tasks refused and all other letters dropped from now on.
func (b *inbox) seal() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed, b.sealed = true, true
	b.letters, b.spare = nil, nil
}

// take returns the letters that have come. The slice is good until the next call.
func (b *inbox) take() []letter {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.any.Store(false)
	letters := b.letters
	b.letters, b.spare = b.spare[:0], letters
	return letters
}

// receive acts on the letters that have come.
func (e *Executor) receive() {
	letters := e.inbox.take()
	for i, l := range letters {
		letters[i] = letter{}
		switch t := l.task; {
		case l.what == brought:
			e.admit(t)
		case t.state != waiting:
		case l.what == called && t.reason == forCall:
			e.makeReady(t)
		case l.what == woke && t.reason == forWake && t.woken.Load():
			e.stats.Wakes++
			e.makeReady(t)
		}
	}
	if e.asked.Swap(false) {
		e.cancelAll(context.Cause(e.outer))
	}
}
