//go:build dragonfly || freebsd || linux || netbsd || openbsd || solaris

package platform

import (
	"golang.org/x/sys/unix"

	"gpureactor/port"
)

// kernelNow reads the clock that the Go runtime's readings come from.
func kernelNow() (port.Time, bool) {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		return 0, false
	}
	return port.Time(now.Nano()), true
}
