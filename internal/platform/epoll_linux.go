package platform

import (
	"errors"

	"golang.org/x/sys/unix"
)

// An Epoll is an epoll instance and room for what it reports. Wait is called by
// one goroutine at a time, the rest by any.
type Epoll struct {
	fd     int
	events [64]unix.EpollEvent
}

// NewEpoll opens an instance. The error wraps port.ErrNotSupported where the
// kernel or a filter refuses it.
func NewEpoll() (*Epoll, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, callError("epoll_create1", err)
	}
	return &Epoll{fd: fd}, nil
}

// Add watches fd for events. tag comes back with them, beside fd.
func (e *Epoll) Add(fd int, events uint32, tag int32) error {
	ev := unix.EpollEvent{Events: events, Fd: int32(fd), Pad: tag}
	return unix.EpollCtl(e.fd, unix.EPOLL_CTL_ADD, fd, &ev)
}

// Remove forgets fd.
func (e *Epoll) Remove(fd int) error { return unix.EpollCtl(e.fd, unix.EPOLL_CTL_DEL, fd, nil) }

// Wait returns what is ready, waiting for that until millis have passed; 0 does
// not wait, -1 has no end. A signal ends it with nothing. The result is good
// until the next Wait.
func (e *Epoll) Wait(millis int) []unix.EpollEvent {
	n, err := unix.EpollWait(e.fd, e.events[:], millis)
	switch {
	case err == nil:
		return e.events[:n]
	case errors.Is(err, unix.EINTR):
		return nil
	}
	panic("BUG: epoll_wait: " + err.Error() + "; somebody closed a descriptor that is not theirs")
}

// FD returns the instance's descriptor.
func (e *Epoll) FD() int { return e.fd }

// Close closes the instance.
func (e *Epoll) Close() error { return unix.Close(e.fd) }
