package platform

import (
	"runtime"
	"time"

	"gpureactor/port"
)

// Park looks at memory from user space until ready reports true, a wake, Close or
// the time bound, and returns what ready said last. It takes the token that ends
// it. ready is called at once, whatever the bound, and at least once. It
// allocates nothing.
//
// At first it holds the processor, for a store that is near. Then it lets other
// goroutines run between bursts of looks: a waiter that was just made ready sits in
// the queue of this very processor.
func (s *Sleeper) Park(ready func() bool, bound port.Time) bool {
	if ready() {
		return true
	}
	begun := s.clock.Now()
	yield := begun.Add(tight)
	for now := begun; now < bound; now = s.clock.Now() {
		if now >= yield {
			runtime.Gosched()
			yield = s.clock.Now().Add(apart)
		}
		if hit, over := s.burst(ready); hit || over {
			return hit
		}
	}
	return false
}

// ParkMeans names how Park looks, for port.HostInfo.
const ParkMeans = "spin, then yield"

// The measure is BenchmarkPark: detection stays near that of a bare spin, with
// idle processors and with busy ones.
const (
	// tight is how long a park looks without letting others run.
	tight = 20 * time.Microsecond
	// apart is the time between two yields after that.
	apart = 5 * time.Microsecond
	// looks is the number of looks between two readings of the clock.
	looks = 32
)

// burst looks a number of times and reports whether one hit, or else whether the
// park is over.
func (s *Sleeper) burst(ready func() bool) (hit, over bool) {
	for range looks {
		if ready() {
			return true, false
		}
		if s.ended() {
			return false, true
		}
	}
	return false, false
}

// ended reports whether a park is over, and takes the token that ends it.
func (s *Sleeper) ended() bool {
	state := s.bell.look()
	if state&rung != 0 {
		s.bell.take()
	}
	return state != 0
}
