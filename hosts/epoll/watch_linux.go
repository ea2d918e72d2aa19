package epoll

import (
	"errors"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"gpureactor/internal/platform"
	"gpureactor/port"
)

func open(cfg Config) (*Host, error) {
	kernel, err := platform.NewKernel(cfg.Clock, platform.KernelConfig{
		NoTimerFD: cfg.NoTimerFD, NoEventFD: cfg.NoEventFD, OneStage: cfg.OneStage,
	})
	if err != nil {
		return nil, err
	}
	w := &watch{Kernel: kernel, entries: map[int32]entry{}}
	info := port.HostInfo{Name: "epoll", Timer: kernel.Timer(), Wake: kernel.Ringer(), Park: platform.ParkMeans}
	return &Host{clock: cfg.Clock, sleeper: platform.NewSleeperOn(cfg.Clock, w), watch: w, info: info}, nil
}

// A watch is the kernel's blocker with descriptors.
type watch struct {
	*platform.Kernel

	// size is the number of entries, for the sleeper to read without the lock.
	size atomic.Int32

	mu      sync.Mutex // guards what follows; never held while a function runs
	entries map[int32]entry
	lastTag int32
}

var _ platform.Blocker = (*watch)(nil)

type entry struct {
	// tag tells the entry from an earlier one of the same descriptor, whose
	// event may still be on its way.
	tag      int32
	interest port.Interest
	run      func(port.Interest)
}

func (w *watch) add(fd uintptr, interest port.Interest, f func(port.Interest)) error {
	if err := platform.CheckNonBlocking(fd); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.entries[int32(fd)]; ok {
		return platform.DescriptorError(fd, "is watched already: unwatch it first, and before it is closed")
	}
	e := entry{tag: w.lastTag%(1<<30) + 1, interest: interest, run: f}
	if err := w.Epoll().Add(int(fd), eventsOf(interest), e.tag); err != nil {
		return addError(fd, err)
	}
	w.lastTag = e.tag
	w.entries[int32(fd)] = e
	w.size.Store(int32(len(w.entries)))
	return nil
}

func addError(fd uintptr, err error) error {
	switch {
	case errors.Is(err, unix.EPERM):
		return platform.DescriptorError(fd, "cannot be polled: a file or a directory is always ready")
	case errors.Is(err, unix.EBADF):
		return platform.DescriptorError(fd, "is not open").WithCause(err)
	}
	return platform.DescriptorError(fd, "epoll does not take it").WithCause(err)
}

func (w *watch) remove(fd uintptr) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.entries[int32(fd)]; !ok || fd > 1<<31-1 {
		return platform.DescriptorError(fd, "is not watched")
	}
	delete(w.entries, int32(fd))
	w.size.Store(int32(len(w.entries)))
	if err := w.Epoll().Remove(int(fd)); err != nil {
		return platform.DescriptorError(fd, "was closed before it was unwatched").WithCause(err)
	}
	return nil
}

// Watching reports whether any descriptor is watched.
func (w *watch) Watching() bool { return w.size.Load() > 0 }

// Deliver runs the functions of the descriptors that the last Wait found.
func (w *watch) Deliver() bool {
	ran := false
	for _, event := range w.Found() {
		if e, ok := w.current(event); ok {
			e.run(readyOf(event.Events) & e.interest)
			ran = true
		}
	}
	return ran
}

// current returns the entry that an event belongs to, if it is still watched. The
// call of its function counts as started when the lock is released.
func (w *watch) current(event unix.EpollEvent) (entry, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e, ok := w.entries[event.Fd]
	return e, ok && e.tag == event.Pad
}

func eventsOf(i port.Interest) (events uint32) {
	if i&port.Readable != 0 {
		events |= unix.EPOLLIN | unix.EPOLLRDHUP
	}
	if i&port.Writable != 0 {
		events |= unix.EPOLLOUT
	}
	return events
}

func readyOf(events uint32) (ready port.Interest) {
	const both = unix.EPOLLERR | unix.EPOLLHUP
	if events&(unix.EPOLLIN|unix.EPOLLRDHUP|both) != 0 {
		ready |= port.Readable
	}
	if events&(unix.EPOLLOUT|both) != 0 {
		ready |= port.Writable
	}
	return ready
}
