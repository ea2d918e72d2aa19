package hostmem

import (
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// books counts the process's pages. Like the number of goroutines it belongs to
// the process and not to any part of it, so it is kept here.
var books ledger

type ledger struct {
	live, kept atomic.Int64
	tracking   atomic.Bool

	mu     sync.Mutex // guards stacks
	stacks map[*Page]string
}

// Live returns the number of pages that are mapped and not kept on purpose.
func Live() int { return int(books.live.Load()) }

// Kept returns the number of pages that were leaked on purpose ([Page.Keep]).
func Kept() int { return int(books.kept.Load()) }

// Track turns the recording of stacks on or off, for tests that look for leaks.
// While it is on, each new page costs a stack trace; turning it off forgets
// those recorded.
func Track(on bool) {
	books.mu.Lock()
	defer books.mu.Unlock()
	books.tracking.Store(on)
	books.stacks = nil
	if on {
		books.stacks = make(map[*Page]string)
	}
}

// OpenStacks returns, for each live page that was opened while tracking was on,
// the stack of the goroutine that opened it. The order is not defined.
func OpenStacks() []string {
	books.mu.Lock()
	defer books.mu.Unlock()
	all := make([]string, 0, len(books.stacks))
	for _, s := range books.stacks {
		all = append(all, s)
	}
	return all
}

func (l *ledger) open(p *Page) {
	l.live.Add(1)
	if !l.tracking.Load() {
		return
	}
	stack := string(debug.Stack())
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stacks != nil {
		l.stacks[p] = stack
	}
}

func (l *ledger) close(p *Page) {
	l.live.Add(-1)
	l.forget(p)
}

func (l *ledger) keep(p *Page) {
	l.live.Add(-1)
	l.kept.Add(1)
	l.forget(p)
}

func (l *ledger) forget(p *Page) {
	if !l.tracking.Load() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.stacks, p)
}
