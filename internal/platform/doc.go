// Package platform holds what the hosts share: a monotonic clock without system
// calls, and a [Sleeper], which sleeps until a time, is woken from any goroutine,
// and watches memory.
//
// The Sleeper is the part of a host that has to be right and is the same in all
// of them: the wake token, the lifetime of descriptors, and the rule that no
// sleep ends early. What blocks the goroutine is a [Blocker]: [GoTimer] on every
// system, [Kernel] on Linux, or one that a host brings.
//
//	clock := platform.NewClock()
//	s := platform.NewSleeper(clock)
//	defer s.Close()
//	s.SleepUntil(clock.Now().Add(300 * time.Microsecond))
package platform
