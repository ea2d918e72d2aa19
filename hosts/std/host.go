package std

import (
	"gpureactor/internal/platform"
	"gpureactor/port"
)

// Config says what a host is made of. The zero value is ready to use.
type Config struct {
	// Clock is the host's time; nil is the system's monotonic clock.
	Clock port.Clock
}

// A Host sleeps on a Go timer and a channel. New makes it; the zero value is not
// usable.
type Host struct {
	clock   port.Clock
	sleeper *platform.Sleeper
	watch   *watch
}

var _ port.DescriptorHost = (*Host)(nil)

// New returns a host. It opens nothing.
func New(cfg Config) *Host {
	if cfg.Clock == nil {
		cfg.Clock = platform.NewClock()
	}
	w := newWatch()
	return &Host{clock: cfg.Clock, sleeper: platform.NewSleeperOn(cfg.Clock, w), watch: w}
}

// Now returns the time of the host's clock.
func (h *Host) Now() port.Time { return h.clock.Now() }

// SleepUntil implements [port.Host]. A watched descriptor that is ready is served
// even by a sleep until a time that has passed, and before a wake that is waiting,
// which then ends the next sleep.
func (h *Host) SleepUntil(at port.Time) port.Wakeup { return h.sleeper.SleepUntil(at) }

// ParkLine implements [port.Host]. It looks at memory from user space: for 20 us
// without a pause, then letting other goroutines run every few us. line is not
// used.
func (h *Host) ParkLine(_ *port.Line, ready func() bool, bound port.Time) (hit bool, now port.Time) {
	return h.sleeper.Park(ready, bound)
}

// Wake implements [port.Host].
func (h *Host) Wake() { h.sleeper.Wake() }

// Info implements [port.Host].
func (h *Host) Info() port.HostInfo {
	return port.HostInfo{Name: "std", Timer: "go timer", Wake: "channel", Park: platform.ParkMeans}
}

// Close implements [port.Host]. It does not wait for a call that is inside: the
// last one to leave ends the goroutines that watch descriptors.
func (h *Host) Close() error { return h.sleeper.Close() }

// WatchDescriptor implements [port.DescriptorHost]. It watches a duplicate, on a
// goroutine for each direction, until UnwatchDescriptor or Close. An error or a
// hang-up of the descriptor counts as ready for all that was asked for.
func (h *Host) WatchDescriptor(fd uintptr, interest port.Interest, f func(ready port.Interest)) error {
	if err := platform.CheckWatch(fd, interest, f); err != nil {
		return err
	}
	if !h.sleeper.Enter() {
		return errClosed
	}
	defer h.sleeper.Leave()
	return h.watch.add(fd, interest, f)
}

// UnwatchDescriptor implements [port.DescriptorHost]. A call of the function that
// has started may still be running when it returns.
func (h *Host) UnwatchDescriptor(fd uintptr) error {
	if !h.sleeper.Enter() {
		return errClosed
	}
	defer h.sleeper.Leave()
	return h.watch.remove(fd)
}

var errClosed = port.NewError(port.Closed, "std host")
