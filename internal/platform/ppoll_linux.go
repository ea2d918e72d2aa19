package platform

import (
	"errors"

	"golang.org/x/sys/unix"

	"gpureactor/port"
)

// A pollTimeout waits for an epoll instance with a timeout of the call, to the
// nanosecond, where epoll_wait itself counts in milliseconds.
type pollTimeout struct {
	fds  [1]unix.PollFd
	left unix.Timespec
}

// wait returns what is ready before at.
func (p *pollTimeout) wait(e *Epoll, at, now port.Time) []unix.EpollEvent {
	if at == port.Forever {
		return e.Wait(-1)
	}
	p.fds[0] = unix.PollFd{Fd: int32(e.FD()), Events: unix.POLLIN}
	p.left = unix.NsecToTimespec(int64(min(at.Sub(now), farthest)))
	n, err := unix.Ppoll(p.fds[:], &p.left, nil)
	switch {
	case n > 0:
		return e.Wait(0)
	case err == nil, errors.Is(err, unix.EINTR):
		return nil
	}
	panic("BUG: ppoll: " + err.Error())
}
