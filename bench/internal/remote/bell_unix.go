//go:build unix

package remote

import (
	"encoding/binary"
	"io"
	"time"

	"golang.org/x/sys/unix"
)

// ring rings a bell by its descriptor. It does not report failure: a bell that is
// full has rings in it, and of one whose other process is gone that process's
// watcher tells.
func ring(fd int) {
	var one [8]byte // what an eventfd takes; a pipe takes anything
	binary.NativeEndian.PutUint64(one[:], 1)
	_, _ = unix.Write(fd, one[:])
}

// A sleeper blocks an OS thread until a bell rings. It is used by one goroutine
// at a time.
type sleeper struct {
	poll   [1]unix.PollFd
	buffer [64]byte
}

func newSleeper(fd int) *sleeper {
	s := &sleeper{}
	s.poll[0] = unix.PollFd{Fd: int32(fd), Events: unix.POLLIN}
	return s
}

// sleep blocks in the kernel until the bell rings, for at most bound, and takes
// the rings. It returns io.EOF once the other end of a bell with two is closed.
// It may return early.
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
