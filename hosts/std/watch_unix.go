//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris

package std

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"gpureactor/internal/platform"
	"gpureactor/port"
)

// A watch is the Go timer with descriptors. The sleeper asks poll(2) what is
// ready, which makes it level-triggered; the goroutines of the entries only end a
// sleep that has begun.
//
// No readiness is missed. A sleep that found nothing ready arms every entry before
// it blocks. An armed entry asks poll itself before it waits for the runtime's
// poller, so what came in between is seen, and it rings when it ends. An entry
// that is armed already has not rung since and will.
type watch struct {
	*platform.GoTimer

	// size is the number of entries, for the sleeper to read without the lock.
	size atomic.Int32

	mu      sync.Mutex // guards what follows; never held while a function runs
	entries []*entry
	polled  []unix.PollFd // polled[i] is for entries[i]

	// found is what the last look saw; the sleeper's.
	found []hit
}

var _ platform.Blocker = (*watch)(nil)

type hit struct {
	entry *entry
	ready port.Interest
}

func newWatch() *watch { return &watch{GoTimer: platform.NewGoTimer()} }

func (w *watch) add(fd uintptr, interest port.Interest, f func(port.Interest)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.index(fd) >= 0 {
		return platform.DescriptorError(fd, "is watched already: unwatch it first, and before it is closed")
	}
	e, err := openEntry(fd, interest, f, w.Ring)
	if err != nil {
		return err
	}
	w.entries = append(w.entries, e)
	w.polled = append(w.polled, unix.PollFd{Fd: int32(e.dup), Events: eventsOf(interest)})
	w.size.Store(int32(len(w.entries)))
	e.arm()
	return nil
}

// index returns the place of fd's entry, -1 when it has none. mu is held.
func (w *watch) index(fd uintptr) int {
	return slices.IndexFunc(w.entries, func(e *entry) bool { return e.fd == fd })
}

func (w *watch) remove(fd uintptr) error {
	e, err := w.forget(fd)
	if err != nil {
		return err
	}
	return e.close()
}

func (w *watch) forget(fd uintptr) (*entry, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := w.index(fd)
	if i < 0 {
		return nil, platform.DescriptorError(fd, "is not watched")
	}
	e := w.entries[i]
	w.entries = slices.Delete(w.entries, i, i+1)
	w.polled = slices.Delete(w.polled, i, i+1)
	w.size.Store(int32(len(w.entries)))
	return e, nil
}

// Watching reports whether any descriptor is watched.
func (w *watch) Watching() bool { return w.size.Load() > 0 }

// Wait blocks until at, a ring or a ready descriptor.
func (w *watch) Wait(at, now port.Time) {
	if w.look(at > now) || at <= now {
		return
	}
	w.GoTimer.Wait(at, now)
	w.look(false)
}

// look asks what is ready and reports whether anything is. With nothing ready, and
// if a block is to follow, it arms the entries.
func (w *watch) look(arm bool) bool {
	clear(w.found)
	w.found = w.found[:0]
	if !w.Watching() {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	poll(w.polled)
	for i, p := range w.polled {
		if ready := readyOf(p.Revents) & w.entries[i].interest; ready != 0 {
			w.found = append(w.found, hit{w.entries[i], ready})
		}
	}
	if arm && len(w.found) == 0 {
		w.armAll()
	}
	return len(w.found) > 0
}

// armAll arms the entries. mu is held.
func (w *watch) armAll() {
	for _, e := range w.entries {
		e.arm()
	}
}

// Deliver runs the functions of what the last look found.
func (w *watch) Deliver() bool {
	ran := false
	for _, h := range w.found {
		if w.watched(h.entry) {
			h.entry.run(h.ready)
			ran = true
		}
	}
	return ran
}

// watched reports whether e is still watched. The call of its function counts as
// started when the lock is released.
func (w *watch) watched(e *entry) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Contains(w.entries, e)
}

// Free ends the goroutines and closes the duplicates.
func (w *watch) Free() error {
	var errs []error
	for _, e := range w.entries {
		errs = append(errs, e.close())
	}
	w.entries, w.polled = nil, nil
	return errors.Join(append(errs, w.GoTimer.Free())...)
}
