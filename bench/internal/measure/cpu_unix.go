//go:build unix

package measure

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime returns the CPU time of all threads of the process, in the kernel too.
func cpuTime() (time.Duration, error) {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0, err
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}
