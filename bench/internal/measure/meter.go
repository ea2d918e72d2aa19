package measure

import (
	"runtime"
	"time"
)

// A meter is a reading of what the process has used so far.
type meter struct {
	cpu    time.Duration
	allocs uint64
}

// readBefore reads the CPU time last: what the readings themselves cost is left
// out.
func readBefore() (meter, error) {
	allocs := readAllocs()
	cpu, err := cpuTime()
	return meter{cpu, allocs}, err
}

// readAfter reads the CPU time first.
func readAfter() (meter, error) {
	cpu, err := cpuTime()
	return meter{cpu, readAllocs()}, err
}

func readAllocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}
