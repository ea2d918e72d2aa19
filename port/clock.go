package port

import (
	"math"
	"time"
)

// Time is a point on a monotonic clock, in nanoseconds from an origin that the
// clock chose. Times of different clocks do not compare.
type Time int64

// Forever is later than every point a clock reads: a sleep until Forever ends
// only by a wake.
const Forever Time = math.MaxInt64

// Add returns t + d, held at the ends of the range instead of wrapping.
func (t Time) Add(d time.Duration) Time {
	sum := t + Time(d)
	switch {
	case d > 0 && sum < t:
		return math.MaxInt64
	case d < 0 && sum > t:
		return math.MinInt64
	}
	return sum
}

// Sub returns t - earlier, held at the ends of the range instead of wrapping.
func (t Time) Sub(earlier Time) time.Duration {
	diff := time.Duration(t - earlier)
	switch {
	case t > earlier && diff < 0:
		return math.MaxInt64
	case t < earlier && diff > 0:
		return math.MinInt64
	}
	return diff
}

// A Clock reads monotonic time. It is the only way time enters the core, so a
// wait can be replayed with a virtual one.
type Clock interface {
	// Now never goes backwards. It is safe for concurrent use.
	Now() Time
}

// An Alarm is a clock that also runs functions at given times: what a software
// device is driven by. The virtual clock of port/manual is one.
type Alarm interface {
	Clock
	// At runs f once the clock reads at or later; a time that has passed runs f
	// at the clock's next step. Functions run one at a time, the earliest first
	// and equal times in the order they were set. f may set further alarms.
	At(at Time, f func())
}
