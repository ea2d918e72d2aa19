//go:build unix

package porttest

import (
	"os"
	"syscall"

	"gpureactor/port"
)

func brokenDescriptorLives() []breakage {
	return []breakage{{"writes to a descriptor it closed", func(c *crippled, good port.DescriptorHost) {
		pipe := newLateWriter()
		c.wake = func() {
			syscall.Write(int(pipe.fd), []byte{1})
			good.Wake()
		}
		c.close = func() error {
			pipe.r.Close()
			pipe.w.Close()
			return good.Close()
		}
	}, []string{"close/beside wakes"}}}
}

// A lateWriter wakes through a pipe and does not care whether it is closed.
type lateWriter struct {
	r, w *os.File
	fd   uintptr
}

func newLateWriter() *lateWriter {
	r, w, err := os.Pipe()
	if err != nil {
		return nil
	}
	l := &lateWriter{r: r, w: w}
	if raw, err := w.SyscallConn(); err == nil {
		raw.Control(func(fd uintptr) { l.fd = fd })
	}
	return l
}
