//go:build !unix

package remote

import (
	"time"

	"gpureactor/port"
)

// A sleeper would block an OS thread until a pipe is written to.
type sleeper struct{}

func newSleeper(uintptr) *sleeper { return &sleeper{} }

// sleep refuses: there is no child to write to the pipe.
func (s *sleeper) sleep(time.Duration) error {
	return port.NewError(port.NotSupported, "a device in a child process", "run it in this process")
}
