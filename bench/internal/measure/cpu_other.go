//go:build !unix && !windows

package measure

import (
	"time"

	"gpureactor/port"
)

// cpuTime refuses: without it there is nothing to compare.
func cpuTime() (time.Duration, error) {
	return 0, port.NewError(port.NotSupported, "the CPU time of a process", "run the benchmark on unix or Windows")
}
