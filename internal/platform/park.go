package platform

import (
	"runtime"
	"time"

	"gpureactor/port"
)

// Park looks at memory from user space until ready reports true, a wake, Close or
// the time bound, and returns what ready said last. It takes the token that ends
// it. ready is called at once, whatever the bound, and at least once. now is the
// last reading of the clock, at most a burst of looks old. It allocates nothing.
//
// It holds the processor for a store that is near, and yields it now and then. See
// [Sleeper.yield].
func (s *Sleeper) Park(ready func() bool, bound port.Time) (hit bool, now port.Time) {
	now = s.clock.Now()
	if ready() {
		return true, now
	}
	if now.Sub(s.looked) > tight {
		s.begun = now
	}
	next := max(s.nextYield, s.begun.Add(tight))
	for ; now < bound; now = s.clock.Now() {
		if now >= next {
			next = s.yield(now)
		}
		if hit, over := s.burst(ready); hit || over {
			s.looked = now
			return hit, now
		}
	}
	s.looked = now
	return false, now
}

// yield lets other goroutines run and returns when to do so again.
//
// A yield is not free: it has the Go scheduler wake a thread on another processor,
// in case there is work for it. On a machine with few cores that thread is in the
// way of whoever is to store. So yields that find nobody grow rare, and one that
// somebody used makes them frequent again. With one processor there is no thread to
// wake and nobody else to run what is ready.
func (s *Sleeper) yield(now port.Time) port.Time {
	runtime.Gosched()
	back := s.clock.Now()
	if back.Sub(now) > used || runtime.GOMAXPROCS(0) == 1 {
		s.apart = leastApart
	} else {
		s.apart = min(max(2*s.apart, leastApart), mostApart)
	}
	s.nextYield = back.Add(s.apart)
	return s.nextYield
}

// ParkMeans names how Park looks, for port.HostInfo.
const ParkMeans = "spin, then yield"

// The measure is BenchmarkPark of hosts/epoll: detection stays near that of a bare
// spin, with idle processors and with busy ones.
const (
	// tight is how long a park looks without letting others run.
	tight = 20 * time.Microsecond
	// leastApart and mostApart bound the time between two yields.
	leastApart, mostApart = 5 * time.Microsecond, 500 * time.Microsecond
	// used is how long a yield takes that somebody else used.
	used = 20 * time.Microsecond
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
