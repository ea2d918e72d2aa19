package platform

import (
	"time"

	"gpureactor/port"
)

// A Clock reads the monotonic clock of the system. On unix its origin is that of
// the kernel's clock, so readings of several processes of one machine compare, to
// within the 100 ns or so by which their origins were found. Elsewhere the origin
// is the call of NewClock.
//
// It reads through the Go runtime, which makes no system call where the system
// has a clock in user space.
type Clock struct {
	start  time.Time // what readings are relative to
	offset port.Time // what the kernel's clock read at start
	// kernel says that offset is known, so that readings may be given to the
	// kernel as points on its clock.
	kernel bool
}

var _ port.Clock = (*Clock)(nil)

// alignments is how often the two clocks are read one beside the other. A pair
// that an interrupt came between is wide, and the tightest one counts.
const alignments = 64

// NewClock returns a clock. It costs a few microseconds.
func NewClock() *Clock {
	c := &Clock{start: time.Now()}
	tightest := time.Duration(-1)
	for range alignments {
		before := time.Since(c.start)
		kernel, ok := kernelNow()
		width := time.Since(c.start) - before
		if !ok {
			return c
		}
		if tightest < 0 || width < tightest {
			tightest, c.kernel = width, true
			c.offset = kernel - port.Time(before+width/2)
		}
	}
	return c
}

// Now returns the time. It allocates nothing and may be called from any goroutine.
func (c *Clock) Now() port.Time { return c.offset + port.Time(time.Since(c.start)) }
