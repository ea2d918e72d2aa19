package porttest

import (
	"testing"

	"gpureactor/port"
)

// DeviceOptions say how the device suite waits. The zero value serves a device
// that runs by itself.
type DeviceOptions struct {
	// Step is called between two looks at the device, before the goroutine yields:
	// a pause, or for a device on a virtual clock a move of the clock by some
	// microseconds. Default: none.
	Step func()
	// Looks is how often the suite looks for something to happen before it says
	// that it never does, 1 and up. A count and not a time, so that a slow
	// machine fails nothing. Default: 4,000,000.
	Looks int
}

const defaultDeviceLooks = 4_000_000

// A DeviceCase is one case of the device suite.
type DeviceCase struct {
	// Name is the rule, in a few words with dashes.
	Name string
	// Proves says in a sentence which constraint of port the case shows.
	Proves string
	run    func(e *deviceEnv)
}

// Run runs the case on devices from open and reports to t. A case that needs what
// the device does not have (a gate, a form of program) is skipped as [Require]
// says. Run ends the calling goroutine when the case fails, as t.Fatal does, and
// closes the devices in either case.
func (c DeviceCase) Run(t testing.TB, o DeviceOptions, open func() port.Device) {
	t.Helper()
	if o.Looks < 1 {
		o.Looks = defaultDeviceLooks
	}
	e := &deviceEnv{t: t, options: o, opener: open}
	defer e.cleanUp()
	c.run(e)
}

// TestDevice runs the device suite: every backend passes it. open opens a device
// of its own for each call and fails t if it cannot; the suite closes it. Some
// cases open two.
func TestDevice(t *testing.T, open func(t *testing.T) port.Device) {
	t.Helper()
	TestDeviceWith(t, DeviceOptions{}, open)
}

// TestDeviceWith is TestDevice with options.
func TestDeviceWith(t *testing.T, o DeviceOptions, open func(t *testing.T) port.Device) {
	t.Helper()
	for _, c := range DeviceCases() {
		t.Run(c.Name, func(t *testing.T) {
			t.Log(c.Proves)
			c.Run(t, o, func() port.Device { return open(t) })
		})
	}
}

// DeviceCases returns the cases of the device suite in the order they run.
func DeviceCases() []DeviceCase {
	var all []DeviceCase
	for _, group := range [][]DeviceCase{
		deviceWordCases(), deviceHeldCases(), deviceOrderCases(), deviceBlockCases(),
		deviceMemoryCases(), deviceRangeCases(), deviceProgramCases(),
		deviceForeignCases(), deviceCloseCases(),
	} {
		all = append(all, group...)
	}
	return all
}
