package gpureactor

import (
	"errors"
	"fmt"
	"log/slog"

	"gpureactor/port"
	"gpureactor/reactor"
	"gpureactor/waitplan"
)

// A Runtime is a device, a host and the reactor between them. Its methods may be
// called from any goroutine.
type Runtime struct {
	device             port.Device
	host               port.Host
	reactor            *reactor.Reactor
	plans              waitplan.Bands
	deviceWhy, hostWhy string
	closers            []func() error // of what Open opened, in the order of closing
}

// own has Close close a thing, before the things owned earlier.
func (rt *Runtime) own(closer func() error) {
	rt.closers = append([]func() error{closer}, rt.closers...)
}

// Device returns the device: memory, programs and streams that are not registered.
func (rt *Runtime) Device() port.Device { return rt.device }

// Host returns the host that the reactor idles on.
func (rt *Runtime) Host() port.Host { return rt.host }

// Reactor returns the reactor: tickets, turns and statistics.
func (rt *Runtime) Reactor() *reactor.Reactor { return rt.reactor }

// Close fails pending waits with ErrClosed, then closes the device and the host
// that Open opened, which waits for the device's queued work. The error joins
// theirs. A second Close does nothing and returns nil.
func (rt *Runtime) Close() error {
	var errs []error
	if rt.reactor != nil {
		errs = append(errs, rt.reactor.Close())
	}
	for _, closer := range rt.closers {
		errs = append(errs, closer())
	}
	return errors.Join(errs...)
}

// String says in one line what was opened and why.
func (rt *Runtime) String() string {
	d, h := rt.device.Info(), rt.host.Info()
	return fmt.Sprintf("device %s (%s; %s), host %s (%s; timer %s, wake %s, park %s), plan %s",
		d.Backend, d.Name, rt.deviceWhy, h.Name, rt.hostWhy, h.Timer, h.Wake, h.Park, rt.plans)
}

// LogValue gives the same to slog, a field each.
func (rt *Runtime) LogValue() slog.Value {
	d, h := rt.device.Info(), rt.host.Info()
	return slog.GroupValue(
		slog.Group("device", "backend", d.Backend, "name", d.Name, "driver", d.Driver, "why", rt.deviceWhy),
		slog.Group("host", "name", h.Name, "timer", h.Timer, "wake", h.Wake, "park", h.Park, "why", rt.hostWhy),
		slog.String("plan", rt.plans.String()),
	)
}
