package platform

import (
	"testing"
	"time"

	"gpureactor/port"
	"gpureactor/port/porttest"
)

// slack is far more than two neighbouring readings of two clocks can differ by
// when all of the alignment's readings were disturbed.
const slack = 10 * time.Millisecond

var errNoKernelClock = port.NewError(port.NotSupported, "a clock to align with", "clocks of two processes do not compare")

func TestClockReadsTheKernelsTime(t *testing.T) {
	c := NewClock()
	if _, ok := kernelNow(); !ok {
		porttest.Require(t, "kernelclock", errNoKernelClock)
	}
	for range 100 {
		before, _ := kernelNow()
		now := c.Now()
		after, _ := kernelNow()
		if now < before.Add(-slack) || now > after.Add(slack) {
			t.Fatalf("clock reads %d between kernel readings %d and %d", now, before, after)
		}
	}
}

func TestClocksOfOneMachineCompare(t *testing.T) {
	a, b := NewClock(), NewClock()
	if !a.kernel || !b.kernel {
		porttest.Require(t, "kernelclock", errNoKernelClock)
	}
	first, second, third := a.Now(), b.Now(), a.Now()
	if second < first.Add(-slack) || second > third.Add(slack) {
		t.Errorf("two clocks read %d, %d, %d in turn", first, second, third)
	}
}

func TestClockNeverStepsBack(t *testing.T) {
	c := NewClock()
	last := c.Now()
	for range 100_000 {
		now := c.Now()
		if now < last {
			t.Fatalf("clock reads %d after %d", now, last)
		}
		last = now
	}
}

func TestClockAllocatesNothing(t *testing.T) {
	var clock port.Clock = NewClock()
	if allocs := testing.AllocsPerRun(100, func() { clock.Now() }); allocs != 0 {
		t.Errorf("Now allocates %v times", allocs)
	}
}

func BenchmarkClock(b *testing.B) {
	clock := NewClock()
	for b.Loop() {
		clock.Now()
	}
}
