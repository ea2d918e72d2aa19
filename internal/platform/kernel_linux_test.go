package platform

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gpureactor/port"
	"gpureactor/port/porttest"
)

func TestStagesEndBeforeTheSleepDoes(t *testing.T) {
	const now = port.Time(1e9)
	for _, c := range []struct{ length, first time.Duration }{
		{1, 1},
		{medium, medium},
		{medium + 1, medium + 1 - mediumBefore},
		{300 * time.Microsecond, 260 * time.Microsecond},
		{long, long - mediumBefore},
		{long + 1, long + 1 - longBefore},
		{time.Hour, time.Hour - longBefore},
	} {
		if got := stage(now.Add(c.length), now).Sub(now); got != c.first {
			t.Errorf("a sleep of %v goes first for %v, want %v", c.length, got, c.first)
		}
	}
	if got := stage(port.Forever, now); got != port.Forever {
		t.Errorf("a sleep without end goes first until %d", got)
	}
}

func newKernel(t *testing.T, cfg KernelConfig) *Kernel {
	k, err := NewKernel(NewClock(), cfg)
	porttest.Require(t, "epoll", err)
	t.Cleanup(func() { k.Free() })
	return k
}

func kernelConfigs() map[string]KernelConfig {
	return map[string]KernelConfig{
		"best": {}, "no timerfd": {NoTimerFD: true}, "no eventfd": {NoEventFD: true}, "one stage": {OneStage: true},
	}
}

func TestKernelIsMadeOfWhatWasAskedFor(t *testing.T) {
	for _, c := range []struct {
		cfg  KernelConfig
		want string
	}{
		{KernelConfig{}, "timerfd, eventfd"},
		{KernelConfig{NoTimerFD: true}, "ppoll, eventfd"},
		{KernelConfig{NoEventFD: true}, "timerfd, pipe"},
	} {
		if got := newKernel(t, c.cfg).String(); got != c.want {
			t.Errorf("NewKernel(%+v) is %q, want %q", c.cfg, got, c.want)
		}
	}
}

func TestARingBeforeAWaitEndsIt(t *testing.T) {
	for name, cfg := range kernelConfigs() {
		t.Run(name, func(t *testing.T) {
			k := newKernel(t, cfg)
			for range 100 {
				k.Ring()
				k.Wait(port.Forever, 0)
			}
		})
	}
}

func TestRingsNeverBlock(t *testing.T) {
	for name, cfg := range kernelConfigs() {
		t.Run(name, func(t *testing.T) {
			k := newKernel(t, cfg)
			for range 100_000 { // a pipe holds 65,536
				k.Ring()
			}
			k.Wait(port.Forever, 0)
			k.Ring()
			k.Wait(port.Forever, 0)
		})
	}
}

// A timer that ran out, one that a wake left set, and a ring that was heard must
// not end later waits: the sleeper would run hot. Some waits may end for no reason,
// by a signal.
const someWaits = 50

func TestWhatEndedAWaitEndsNoLaterOne(t *testing.T) {
	for name, cfg := range kernelConfigs() {
		t.Run(name, func(t *testing.T) {
			k, clock := newKernel(t, cfg), NewClock()
			for range 50 {
				first := waits(k, clock, 100*time.Microsecond)
				k.Ring()
				k.Wait(clock.Now().Add(time.Hour), clock.Now())
				if second := waits(k, clock, 500*time.Microsecond); first > someWaits || second > someWaits {
					t.Fatalf("%d waits in 100 us, then %d in 500 us", first, second)
				}
			}
		})
	}
}

// waits returns how many waits it took to let d pass.
func waits(k *Kernel, clock *Clock, d time.Duration) (n int) {
	for at := clock.Now().Add(d); clock.Now() < at; n++ {
		k.Wait(at, clock.Now())
	}
	return n
}

func TestATimerThatRanOutIsSetAgain(t *testing.T) {
	k, clock := newKernel(t, KernelConfig{}), NewClock()
	for range someWaits {
		waits(k, clock, 50*time.Microsecond)
		if k.set == spent {
			return
		}
	}
	t.Error("a timer that ran out counts as set")
}

func TestAWaitWithoutEndHasNoTimer(t *testing.T) {
	for name, cfg := range kernelConfigs() {
		t.Run(name, func(t *testing.T) {
			k, clock := newKernel(t, cfg), NewClock()
			waits(k, clock, 50*time.Microsecond)
			var rung atomic.Bool
			go func() {
				time.Sleep(5 * time.Millisecond)
				rung.Store(true)
				k.Ring()
			}()
			n := 0
			for ; !rung.Load(); n++ {
				k.Wait(port.Forever, clock.Now())
			}
			if n > someWaits {
				t.Errorf("it took %d waits without end until a ring", n)
			}
		})
	}
}

func TestAForeignClockSleepsByLength(t *testing.T) {
	clock := offsetClock{NewClock()}
	k, err := NewKernel(clock, KernelConfig{})
	porttest.Require(t, "epoll", err)
	s := NewSleeperOn(clock, k)
	defer s.Close()
	for _, d := range []time.Duration{0, 1, 5000, 50_000, 2_000_000} {
		at := clock.Now().Add(d)
		if why := s.SleepUntil(at); why != port.WokeTime || clock.Now() < at {
			t.Errorf("a sleep of %v ended by %v at %d, want %v not before %d", d, why, clock.Now(), port.WokeTime, at)
		}
	}
}

// An offsetClock reads an hour more than the kernel.
type offsetClock struct{ *Clock }

func (c offsetClock) Now() port.Time { return c.Clock.Now().Add(time.Hour) }

func TestOpeningFailsWithTheCallAndItsStatus(t *testing.T) {
	for _, c := range []struct {
		err  error
		code port.Code
	}{
		{unix.ENOSYS, port.NotSupported},
		{unix.EPERM, port.NotSupported},
		{unix.EMFILE, port.Backend},
		{unix.ENOMEM, port.Backend},
	} {
		err := callError("epoll_create1", c.err)
		if !errors.Is(err, c.code) || !errors.Is(err, c.err) {
			t.Errorf("callError(%v) = %v, want code %v that wraps it", c.err, err, c.code)
		}
	}
	if callError("epoll_ctl", nil) != nil {
		t.Error("no failure is an error")
	}
}
