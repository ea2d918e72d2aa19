package epoll

import (
	"gpureactor/internal/platform"
	"gpureactor/port"
)

// Config says what a host is made of. The zero value asks for the best.
type Config struct {
	// Clock is the host's time; nil is the system's monotonic clock. With
	// another clock a sleep is handed to the kernel as a length instead of a
	// point in time, and checked against the clock afterwards.
	Clock port.Clock
	// NoTimerFD sleeps with the timeout of ppoll instead of a timerfd. The
	// kernel may stretch it by the thread's timer slack, 50 us by default.
	NoTimerFD bool
	// NoEventFD wakes with a pipe instead of an eventfd.
	NoEventFD bool
	// OneStage sleeps until the end at once. The zero value wakes up shortly
	// before the end of a sleep over 100 us, and sleeps the rest lightly: some
	// tens of us of a core for an end closer to the time.
	OneStage bool
}

// A Host sleeps in epoll_wait. New makes it; the zero value is not usable.
type Host struct {
	clock   port.Clock
	sleeper *platform.Sleeper
	watch   *watch
	info    port.HostInfo
}

var _ port.DescriptorHost = (*Host)(nil)

// New opens a host: three descriptors. Where the kernel lacks timerfd or eventfd,
// or a filter refuses them, it takes what stands in for them, and Info says so. It
// returns an error that wraps port.ErrNotSupported where there is no epoll, and
// one with code port.Backend when the system has no descriptor or memory left.
func New(cfg Config) (*Host, error) {
	if cfg.Clock == nil {
		cfg.Clock = platform.NewClock()
	}
	return open(cfg)
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
func (h *Host) Info() port.HostInfo { return h.info }

// Close implements [port.Host]. It does not wait for a call that is inside: the
// last one to leave closes the descriptors.
func (h *Host) Close() error { return h.sleeper.Close() }

// WatchDescriptor implements [port.DescriptorHost]. An error or a hang-up of the
// descriptor counts as ready for all that was asked for.
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

var errClosed = port.NewError(port.Closed, "epoll host")
