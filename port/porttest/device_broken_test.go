package porttest_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"gpureactor/backends/soft"
	"gpureactor/port"
	"gpureactor/port/manual"
	"gpureactor/port/porttest"
)

// A deviceRecorder stands in for the test of a case that is expected to fail.
type deviceRecorder struct {
	testing.TB
	failed, skipped bool
	log             strings.Builder
}

func (r *deviceRecorder) Helper()                 {}
func (r *deviceRecorder) Log(args ...any)         { fmt.Fprintln(&r.log, args...) }
func (r *deviceRecorder) Logf(f string, a ...any) { fmt.Fprintf(&r.log, f+"\n", a...) }

func (r *deviceRecorder) Errorf(f string, a ...any) {
	r.failed = true
	r.Logf(f, a...)
}

func (r *deviceRecorder) Fatalf(f string, a ...any) {
	r.Errorf(f, a...)
	runtime.Goexit()
}

func (r *deviceRecorder) Skipf(f string, a ...any) {
	r.skipped = true
	r.Logf(f, a...)
	runtime.Goexit()
}

// recordDevice runs a case on a goroutine of its own, which it may end. A device
// that never does something shows that after so many looks.
func recordDevice(t *testing.T, c porttest.DeviceCase, b brokenDevice, looks int) *deviceRecorder {
	r := &deviceRecorder{TB: t}
	clock := new(manual.Clock)
	o := porttest.DeviceOptions{Step: func() { clock.Advance(10 * time.Microsecond) }, Looks: looks}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.Run(r, o, func() port.Device { return b.open(t, clock) })
	}()
	<-ended
	return r
}

// A brokenDevice is a soft device with one fault that a case must catch.
type brokenDevice struct {
	name   string
	caught string // the case
	says   string // part of what the case reports
	script []soft.Fault
	stream func(*soft.Stream) port.Stream
	device func(port.Device) port.Device
}

func (b brokenDevice) open(t *testing.T, clock *manual.Clock) port.Device {
	d, err := soft.Open(soft.Config{Alarm: clock, Script: b.script})
	if err != nil {
		t.Fatal(err)
	}
	var opened port.Device = d
	if b.stream != nil {
		opened = wrappedDevice{d, b.stream}
	}
	if b.device != nil {
		opened = b.device(opened)
	}
	return opened
}

// A wrappedDevice changes the streams of a device.
type wrappedDevice struct {
	port.Device
	wrap func(*soft.Stream) port.Stream
}

func (d wrappedDevice) NewStream() (port.Stream, error) {
	s, err := d.Device.NewStream()
	if err != nil {
		return nil, err
	}
	return d.wrap(s.(*soft.Stream)), nil
}

func TestDeviceSuiteCatchesBrokenDevices(t *testing.T) {
	cases := make(map[string]porttest.DeviceCase)
	for _, c := range porttest.DeviceCases() {
		cases[c.Name] = c
	}
	for _, b := range brokenDevices(t) {
		t.Run(b.name, func(t *testing.T) {
			c, ok := cases[b.caught]
			if !ok {
				t.Fatalf("there is no case %q", b.caught)
			}
			r := recordDevice(t, c, b, 100_000)
			if !r.failed || !strings.Contains(r.log.String(), b.says) {
				t.Errorf("case %s does not catch it (failed %t); it reports\n%s", c.Name, r.failed, r.log.String())
			}
		})
	}
}

func TestDeviceSuitePassesASoundDeviceUnderTheSameOptions(t *testing.T) {
	for _, c := range porttest.DeviceCases() {
		if r := recordDevice(t, c, brokenDevice{}, 0); r.failed || r.skipped {
			t.Errorf("case %s: failed %t, skipped %t\n%s", c.Name, r.failed, r.skipped, r.log.String())
		}
	}
}

func TestDeviceSuiteHasABrokenDeviceForEachCase(t *testing.T) {
	caught := make(map[string]bool)
	for _, b := range brokenDevices(t) {
		caught[b.caught] = true
	}
	for _, c := range porttest.DeviceCases() {
		if !caught[c.Name] {
			t.Errorf("no broken device shows that case %s can fail", c.Name)
		}
	}
}

func TestDeviceCasesHaveNamesOfTheirOwnAndSayWhatTheyProve(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range porttest.DeviceCases() {
		if seen[c.Name] || c.Name == "" || strings.ContainsAny(c.Name, " /_") {
			t.Errorf("case name %q", c.Name)
		}
		if !strings.HasSuffix(c.Proves, ".") {
			t.Errorf("case %s proves %q: want a sentence", c.Name, c.Proves)
		}
		seen[c.Name] = true
	}
}

func TestDeviceCaseWithoutAGateIsSkipped(t *testing.T) {
	t.Setenv("REQUIRE", "")
	bare := brokenDevice{stream: func(s *soft.Stream) port.Stream { return struct{ port.Stream }{s} }}
	for _, c := range porttest.DeviceCases() {
		r := recordDevice(t, c, bare, 0)
		if r.failed {
			t.Errorf("case %s fails without gates and delays:\n%s", c.Name, r.log.String())
		}
		if strings.HasPrefix(c.Name, "gate-") && !r.skipped {
			t.Errorf("case %s passes without a gate", c.Name)
		}
	}
}
