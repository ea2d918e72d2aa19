package platform

import (
	"time"

	"gpureactor/port"
)

// A core that rested for long is slow to come back: the rest that it is sent to is
// chosen by the length of the sleep. So a long sleep goes up to shortly before its
// end in one stage, and the last stage is short. Each stage costs a wake-up, some
// tens of us of a core. [KernelConfig].OneStage goes without; BenchmarkOvershoot
// of hosts/epoll has both.
const (
	// A sleep over long stops longBefore its end, which is more than the core is
	// late after a long rest.
	long, longBefore = 3 * time.Millisecond, 250 * time.Microsecond
	// One over medium stops mediumBefore its end.
	medium, mediumBefore = 100 * time.Microsecond, 40 * time.Microsecond
)

// stage returns the point up to which a sleep until at goes first.
func stage(at, now port.Time) port.Time {
	left := at.Sub(now)
	switch {
	case at == port.Forever:
		return at
	case left > long:
		return at.Add(-longBefore)
	case left > medium:
		return at.Add(-mediumBefore)
	}
	return at
}
