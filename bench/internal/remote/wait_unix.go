//go:build unix

package remote

import (
	"io"
	"time"

	"golang.org/x/sys/unix"
)

// A sleeper blocks an OS thread until a pipe is written to. It is used by one
// goroutine at a time.
type sleeper struct {
	poll   [1]unix.PollFd
	buffer [16]byte
}

func newSleeper(fd uintptr) *sleeper {
	s := &sleeper{}
	s.poll[0] = unix.PollFd{Fd: int32(fd), Events: unix.POLLIN}
	return s
}

// sleep blocks in the kernel until there are bytes in the pipe, which it takes
// out, for at most bound. It returns io.EOF once the other end is closed. It may
// return early.
func (s *sleeper) sleep(bound time.Duration) error {
	s.poll[0].Revents = 0
	n, err := unix.Poll(s.poll[:], int(bound.Milliseconds()))
	if n <= 0 || err != nil {
		return retriable(err)
	}
	n, err = unix.Read(int(s.poll[0].Fd), s.buffer[:])
	if n == 0 && err == nil {
		return io.EOF
	}
	return retriable(err)
}

// retriable drops the error of a call that a signal interrupted.
func retriable(err error) error {
	if err == unix.EINTR || err == unix.EAGAIN {
		return nil
	}
	return err
}
