package platform

import (
	"golang.org/x/sys/unix"

	"gpureactor/port"
)

// A TimerFD is a timer on the kernel's monotonic clock: its descriptor is
// readable once the timer has run out. It knows no timer slack, unlike the
// timeouts of the calls that wait.
type TimerFD struct {
	fd   int
	spec unix.ItimerSpec
}

// NewTimerFD opens a timer that is not set.
func NewTimerFD() (*TimerFD, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, callError("timerfd_create", err)
	}
	return &TimerFD{fd: fd}, nil
}

// SetAt sets the timer to the point at of the kernel's clock, SetIn to a time
// from now in ns. Both end what was set, make the descriptor not readable until
// then, and are called by one goroutine at a time.
func (t *TimerFD) SetAt(at port.Time) { t.set(unix.TFD_TIMER_ABSTIME, int64(at)) }

// SetIn sets the timer to ns from now; see SetAt.
func (t *TimerFD) SetIn(ns int64) { t.set(0, ns) }

// Unset ends what was set and makes the descriptor not readable.
func (t *TimerFD) Unset() { t.set(0, 0) }

// set hands over the time; the kernel takes 0 for unset, and every caller but
// Unset gives more.
func (t *TimerFD) set(flags int, ns int64) {
	t.spec.Value = unix.NsecToTimespec(ns)
	if err := unix.TimerfdSettime(t.fd, flags, &t.spec, nil); err != nil {
		panic("BUG: timerfd_settime: " + err.Error() + "; somebody closed a descriptor that is not theirs")
	}
}

// FD returns the timer's descriptor.
func (t *TimerFD) FD() int { return t.fd }

// Close closes the timer.
func (t *TimerFD) Close() error { return unix.Close(t.fd) }
