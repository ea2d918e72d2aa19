package porttest

import (
	"slices"
	"testing"

	"gpureactor/port"
)

// A HostCase is one constraint on a host.
type HostCase struct {
	// Name is short and unique.
	Name string
	// Proves says in one sentence what holds for a host that passes.
	Proves string
	// Virtual says that the constraint also binds a host whose clock moves only
	// when the host idles.
	Virtual bool
	// Descriptors says that the case needs a port.DescriptorHost.
	Descriptors bool

	// rounds is how often the case runs, each time on a new host; 0 is once.
	rounds int
	run    func(*hostTry)
}

// HostCases returns the cases of the host suite in the order they run.
func HostCases() []HostCase {
	return slices.Concat(hostClockCases(), hostSleepCases(), hostWakeCases(), hostParkCases(),
		hostCloseCases(), hostAllocCases(), hostDescriptorCases())
}

// TestHost runs every case of the host suite as a subtest. open returns a new host
// for each run of a case; the suite closes it. A host that is no
// port.DescriptorHost skips the cases for those, unless REQUIRE lists descriptors.
func TestHost(t *testing.T, open func(t *testing.T) port.Host) {
	for _, c := range HostCases() {
		t.Run(c.Name, func(t *testing.T) { c.Run(t, func() port.Host { return open(t) }) })
	}
}

// TestVirtualHost runs the cases that bind a host whose clock moves only when the
// host idles, as that of port/manual does.
func TestVirtualHost(t *testing.T, open func(t *testing.T) port.Host) {
	for _, c := range HostCases() {
		if c.Virtual {
			t.Run(c.Name, func(t *testing.T) { c.Run(t, func() port.Host { return open(t) }) })
		}
	}
}

// Run runs the case on hosts from open, which it closes, and reports to t. It ends
// the calling goroutine when the case fails or is skipped, as t.Fatal does.
func (c HostCase) Run(t testing.TB, open func() port.Host) {
	t.Helper()
	for range max(1, c.rounds) {
		try := &hostTry{Host: open()}
		try.attempt(c.run)
		Require(t, "descriptors", try.missing)
		for _, fault := range try.faults {
			t.Error(fault)
		}
		if len(try.faults) > 0 {
			t.Fatalf("violated: %s", c.Proves)
		}
	}
}
