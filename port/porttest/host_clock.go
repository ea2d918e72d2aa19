package porttest

import (
	"sync"
	"sync/atomic"
)

func hostClockCases() []HostCase {
	return []HostCase{
		{Name: "info", Virtual: true, run: hostInfo,
			Proves: "Info names the host and by what it sleeps, wakes and parks."},
		{Name: "clock/forward", Virtual: true, run: hostClockForward,
			Proves: "No reading of the clock is before one that was taken earlier, on any goroutine."},
	}
}

func hostInfo(t *hostTry) {
	info := t.Info()
	for _, field := range []struct{ name, value string }{
		{"Name", info.Name}, {"Timer", info.Timer}, {"Wake", info.Wake}, {"Park", info.Park},
	} {
		if field.value == "" {
			t.errorf("Info().%s is empty", field.name)
		}
	}
}

func hostClockForward(t *hostTry) {
	var latest atomic.Int64
	latest.Store(int64(t.Now()))
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 5000 {
				t.readForward(&latest)
			}
		})
	}
	readers.Wait()
}

// readForward reads the clock once, compares with what was read before, and
// raises latest.
func (t *hostTry) readForward(latest *atomic.Int64) {
	before := latest.Load()
	now := int64(t.Now())
	if now < before {
		t.errorf("clock reads %d after it read %d", now, before)
	}
	for before < now && !latest.CompareAndSwap(before, now) {
		before = latest.Load()
	}
}

// never is what a park looks at when only something else may end it.
func never() bool { return false }

// always is what a park looks at when it need not wait.
func always() bool { return true }
