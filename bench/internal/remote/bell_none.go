//go:build !unix

package remote

import (
	"io"
	"sync/atomic"
	"time"

	"gpureactor/port"
)

// Here no process is started that would share memory: [Open] refuses before any
// of these is called.

func errNoChild() error {
	return port.NewError(port.NotSupported, "a device in a child process", "run it in this process")
}

func newBell() (bell, error) { return bell{}, errNoChild() }

func ring(int) {}

type sleeper struct{}

func newSleeper(int) *sleeper              { return &sleeper{} }
func (*sleeper) sleep(time.Duration) error { return io.EOF }

type doorbell struct {
	host     port.Host
	fd, life int
	closed   atomic.Bool
}

func (*doorbell) watch() error { return errNoChild() }
