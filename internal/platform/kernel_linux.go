package platform

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"

	"gpureactor/port"
)

// KernelConfig says what a [Kernel] is made of. The zero value asks for the best.
type KernelConfig struct {
	// NoTimerFD waits with the timeout of ppoll, which the kernel may stretch by
	// the thread's timer slack, 50 us by default.
	NoTimerFD bool
	// NoEventFD rings with a pipe.
	NoEventFD bool
	// OneStage sleeps until the end at once. The zero value wakes up shortly
	// before, to sleep the rest lightly and end closer to the time.
	OneStage bool
}

// A Kernel blocks in epoll_wait, in a plain system call: the Go poller would
// need an idle processor to notice the event, and none is idle when other
// goroutines are busy. The timer is a timerfd.
type Kernel struct {
	poll   *Epoll
	ringer *Ringer
	timer  *TimerFD // nil: ppoll's timeout
	// set is what the timer is set to, Forever when it is not. The sleeper's.
	set port.Time
	// oneStage is OneStage of the config.
	oneStage bool
	// absolute says that points of the clock are points of the kernel's.
	absolute bool
	timeout  pollTimeout
	found    []unix.EpollEvent
}

var _ Blocker = (*Kernel)(nil)

// NewKernel opens what cfg asks for. A sleep until a time of clock is handed to
// the kernel as a point of its own clock where that is known, so that a pause
// between the reading and the call does not lengthen it.
func NewKernel(clock port.Clock, cfg KernelConfig) (*Kernel, error) {
	k := &Kernel{set: port.Forever, oneStage: cfg.OneStage, absolute: onKernelTime(clock)}
	if err := k.open(cfg); err != nil {
		return nil, errors.Join(err, k.Free())
	}
	return k, nil
}

func onKernelTime(clock port.Clock) bool {
	c, ok := clock.(*Clock)
	return ok && c.kernel
}

func (k *Kernel) open(cfg KernelConfig) (err error) {
	if k.poll, err = NewEpoll(); err != nil {
		return err
	}
	if k.ringer, err = newRinger(cfg); err != nil {
		return err
	}
	if err := k.poll.Add(k.ringer.FD(), k.ringer.Events(), 0); err != nil {
		return callError("epoll_ctl", err)
	}
	if cfg.NoTimerFD {
		return nil
	}
	return k.openTimer()
}

func newRinger(cfg KernelConfig) (*Ringer, error) {
	if cfg.NoEventFD {
		return NewPipe()
	}
	r, err := NewEventFD()
	if errors.Is(err, port.ErrNotSupported) {
		return NewPipe()
	}
	return r, err
}

// openTimer opens the timer. One that the system does not have is done without.
func (k *Kernel) openTimer() (err error) {
	k.timer, err = NewTimerFD()
	switch {
	case errors.Is(err, port.ErrNotSupported):
		return nil
	case err != nil:
		return err
	}
	return callError("epoll_ctl", k.poll.Add(k.timer.FD(), unix.EPOLLIN, 0))
}

// Epoll returns the instance, to watch more descriptors with. Tag 0 is taken.
func (k *Kernel) Epoll() *Epoll { return k.poll }

// Wait blocks until at, a ring or an event of a descriptor that was added.
func (k *Kernel) Wait(at, now port.Time) {
	events := k.wait(at, now)
	k.found = events[:0]
	for _, e := range events {
		switch {
		case e.Pad != 0:
			k.found = append(k.found, e)
		case int(e.Fd) == k.ringer.FD():
			k.ringer.Clear()
		default:
			k.set = spent
		}
	}
}

func (k *Kernel) wait(at, now port.Time) []unix.EpollEvent {
	switch {
	case at <= now:
		return k.poll.Wait(0)
	case k.timer == nil:
		return k.timeout.wait(k.poll, at, now)
	case !k.oneStage:
		at = stage(at, now)
	}
	k.arm(at, now)
	return k.poll.Wait(-1)
}

const (
	// spent is the setting of a timer that ran out and is still readable.
	spent port.Time = -1
	// farthest is how far ahead a timer is set, 34 years, which the seconds of
	// every system hold. The sleeper blocks again if it must.
	farthest = 1 << 30 * time.Second
)

// arm sets the timer to at. A timer on the kernel's own clock that is set to at
// already, by a sleep that a wake ended, stays as it is.
func (k *Kernel) arm(at, now port.Time) {
	switch {
	case at == k.set && (k.absolute || at == port.Forever):
		return
	case at == port.Forever:
		k.timer.Unset()
	case k.absolute:
		k.timer.SetAt(min(at, now.Add(farthest)))
	default:
		k.timer.SetIn(int64(min(at.Sub(now), farthest)))
	}
	k.set = at
}

// Found returns the events of the last Wait that are neither the timer's nor a
// ring, for the sleeper's goroutine until the next Wait.
func (k *Kernel) Found() []unix.EpollEvent { return k.found }

// Watching reports false: a kernel by itself has no events. A host that adds
// descriptors wraps it.
func (k *Kernel) Watching() bool { return false }

// Deliver reports false, as Watching does.
func (k *Kernel) Deliver() bool { return false }

// HoldsProcessor reports true.
func (k *Kernel) HoldsProcessor() bool { return true }

// Ring ends the current Wait, or else the next.
func (k *Kernel) Ring() { k.ringer.Ring() }

// Timer names the timer, "timerfd" or "ppoll".
func (k *Kernel) Timer() string {
	if k.timer == nil {
		return "ppoll"
	}
	return "timerfd"
}

// Ringer names what rings, "eventfd" or "pipe".
func (k *Kernel) Ringer() string { return k.ringer.String() }

// String returns the timer and the ringer, as "timerfd, eventfd".
func (k *Kernel) String() string { return k.Timer() + ", " + k.Ringer() }

// Free closes the descriptors.
func (k *Kernel) Free() error {
	var errs [3]error
	if k.poll != nil {
		errs[0] = k.poll.Close()
	}
	if k.ringer != nil {
		errs[1] = k.ringer.Close()
	}
	if k.timer != nil {
		errs[2] = k.timer.Close()
	}
	return errors.Join(errs[:]...)
}
