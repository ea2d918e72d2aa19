package porttest

import (
	"testing"
	"time"

	"gpureactor/port"
)

func hostAllocCases() []HostCase {
	return []HostCase{
		{Name: "alloc/sleep", run: hostAllocSleep,
			Proves: "SleepUntil and Wake allocate nothing."},
		{Name: "alloc/park", run: hostAllocPark,
			Proves: "ParkLine and Now allocate nothing."},
	}
}

func hostAllocSleep(t *hostTry) {
	t.wantNoAllocs("a sleep that is over", func() { t.SleepUntil(0) })
	t.wantNoAllocs("a sleep of 500 ns", func() { t.SleepUntil(t.Now().Add(500)) })
	t.wantNoAllocs("a sleep of 50 us", func() { t.SleepUntil(t.Now().Add(50 * time.Microsecond)) })
	t.wantNoAllocs("a wake and the sleep that it ends", func() {
		t.Wake()
		t.SleepUntil(port.Forever)
	})
}

func hostAllocPark(t *hostTry) {
	line := new(port.Line)
	t.wantNoAllocs("a reading of the clock", func() { t.Now() })
	t.wantNoAllocs("a park that is over", func() { t.park(line, never, 0) })
	t.wantNoAllocs("a park that hits", func() { t.park(nil, always, port.Forever) })
	t.wantNoAllocs("a park of 30 us", func() { t.park(line, never, t.Now().Add(30*time.Microsecond)) })
}

// wantNoAllocs runs f a number of times and checks that the average is below one
// allocation.
func (t *hostTry) wantNoAllocs(what string, f func()) {
	if allocs := testing.AllocsPerRun(100, f); allocs != 0 {
		t.fault(2, "%s allocates %v times", what, allocs)
	}
}
