// Package porttest holds the conformance suites of the contracts in package port,
// as testing/fstest does for file systems. An implementation is right when its
// suite passes:
//
//	func TestConformance(t *testing.T) {
//		porttest.TestHost(t, func(t *testing.T) port.Host { return std.New(std.Config{}) })
//	}
//
// A suite is a list of cases. Each has a name, and one sentence that says which
// constraint of the contract it proves: a failure names the constraint. [HostCases]
// and [DeviceCases] return the lists, [TestHost] and [TestDevice] run them. The
// suites are themselves tested on broken hosts and devices: each case is shown to
// find what it is there for.
//
// No case measures real time. That a host is never early is judged by its own
// clock; a call that never returns is ended by the timeout of the test binary,
// whose report shows where it hangs.
//
// What a machine lacks is skipped only if the implementation says so with an error
// that wraps port.ErrNotSupported, and REQUIRE in the environment turns such a
// skip into a failure: see [Require].
package porttest
