package soft

import (
	"testing"
	"time"

	"gpureactor/port"
	"gpureactor/port/manual"
	"gpureactor/port/porttest"
)

func TestLiveDeviceConforms(t *testing.T) {
	pause := porttest.DeviceOptions{Step: func() { time.Sleep(20 * time.Microsecond) }, Looks: 500_000}
	porttest.TestDeviceWith(t, pause, func(t *testing.T) port.Device {
		return openTest(t, Config{})
	})
}

func TestLiveDeviceConformsToWaitersThatSpin(t *testing.T) {
	porttest.TestDevice(t, func(t *testing.T) port.Device {
		return openTest(t, Config{SpinTail: 100 * time.Microsecond})
	})
}

func TestSteppedDeviceConforms(t *testing.T) {
	clock := new(manual.Clock)
	step := porttest.DeviceOptions{Step: func() { clock.Advance(10 * time.Microsecond) }}
	porttest.TestDeviceWith(t, step, func(t *testing.T) port.Device {
		return openTest(t, Config{Alarm: clock})
	})
}

// openTest opens a device that the test closes.
func openTest(t testing.TB, c Config) *Device {
	t.Helper()
	d, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
