package soft

import (
	"errors"
	"testing"
	"time"

	"gpureactor/port"
	"gpureactor/port/manual"
)

const us = time.Microsecond

// closeTest closes d, which must work.
func closeTest(t testing.TB, d *Device) {
	t.Helper()
	if err := d.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// openStepped opens a device on a clock at 0, closed when the test ends.
func openStepped(t testing.TB, c Config) (*Device, *manual.Clock) {
	t.Helper()
	clock := new(manual.Clock)
	c.Alarm = clock
	d := openTest(t, c)
	t.Cleanup(func() { closeTest(t, d) })
	return d, clock
}

// openLive opens a live device, closed when the test ends.
func openLive(t testing.TB, c Config) *Device {
	t.Helper()
	d := openTest(t, c)
	t.Cleanup(func() { closeTest(t, d) })
	return d
}

func newTestStream(t testing.TB, d *Device) *Stream {
	t.Helper()
	s, err := d.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	return s.(*Stream)
}

func newTestBuffer(t testing.TB, d *Device, size int64) *buffer {
	t.Helper()
	b, err := d.Alloc(size)
	if err != nil {
		t.Fatal(err)
	}
	return b.(*buffer)
}

// kernelOf loads f as a program of one kernel.
func kernelOf(t testing.TB, d *Device, f port.GoKernel) port.Kernel {
	t.Helper()
	m, err := d.Load(port.Program{Name: "test", Go: map[string]port.GoKernel{"k": f}})
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func markTest(t testing.TB, s *Stream) port.Ticket {
	t.Helper()
	ticket, err := s.Mark()
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

func gateTest(t testing.TB, s *Stream) func() {
	t.Helper()
	open, err := s.Gate()
	if err != nil {
		t.Fatal(err)
	}
	return open
}

// wants fails the test unless err is of the wanted kind.
func wants(t testing.TB, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: got error %v, want %v", what, err, want)
	}
}

// wantsStatus fails the test unless err carries the driver's status and name.
func wantsStatus(t testing.TB, what string, err error, status int64) {
	t.Helper()
	var e *port.Error
	if !errors.As(err, &e) || e.Driver == nil {
		t.Errorf("%s: got error %v, want one of the driver", what, err)
		return
	}
	if want := (port.Driver{Status: status, Name: StatusName(status)}); *e.Driver != want {
		t.Errorf("%s: got driver status %v, want %v", what, *e.Driver, want)
	}
}

// wantsIdle fails the test unless the stream is idle.
func wantsIdle(t testing.TB, s *Stream) {
	t.Helper()
	if status, err := s.Status(); status != port.StatusIdle || err != nil {
		t.Errorf("status of %v: %v, %v; want idle", s, status, err)
	}
}
