//go:build unix

package porttest

import (
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
