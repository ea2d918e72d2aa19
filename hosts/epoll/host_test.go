package epoll_test

import (
	"errors"
	"testing"
	"time"

	"gpureactor/hosts/epoll"
	"gpureactor/internal/platform"
	"gpureactor/port"
	"gpureactor/port/porttest"
)

// configs are the makes of the host; all must pass the suite.
func configs() map[string]epoll.Config {
	return map[string]epoll.Config{
		"default":               {},
		"no timerfd":            {NoTimerFD: true},
		"no eventfd":            {NoEventFD: true},
		"one stage":             {OneStage: true},
		"own clock":             {Clock: laterClock{platform.NewClock()}},
		"no timerfd or eventfd": {Clock: laterClock{platform.NewClock()}, NoTimerFD: true, NoEventFD: true},
	}
}

// A laterClock reads an hour more than the kernel's.
type laterClock struct{ port.Clock }

func (c laterClock) Now() port.Time { return c.Clock.Now().Add(time.Hour) }

func open(t testing.TB, cfg epoll.Config) *epoll.Host {
	host, err := epoll.New(cfg)
	porttest.Require(t, "epoll", err)
	return host
}

func TestConformance(t *testing.T) {
	for name, cfg := range configs() {
		t.Run(name, func(t *testing.T) {
			porttest.TestHost(t, func(t *testing.T) port.Host { return open(t, cfg) })
		})
	}
}

func TestInfoSaysWhatTheHostIsMadeOf(t *testing.T) {
	for _, c := range []struct {
		cfg         epoll.Config
		timer, wake string
	}{
		{epoll.Config{}, "timerfd", "eventfd"},
		{epoll.Config{NoTimerFD: true}, "ppoll", "eventfd"},
		{epoll.Config{NoEventFD: true}, "timerfd", "pipe"},
	} {
		host := open(t, c.cfg)
		defer host.Close()
		info := host.Info()
		if info.Name != "epoll" || info.Timer != c.timer || info.Wake != c.wake {
			t.Errorf("%+v: Info() = %+v, want timer %q, wake %q", c.cfg, info, c.timer, c.wake)
		}
	}
}

func TestAnotherClockIsTheHostsTime(t *testing.T) {
	clock := laterClock{platform.NewClock()}
	host := open(t, epoll.Config{Clock: clock})
	defer host.Close()
	first, second, third := clock.Now(), host.Now(), clock.Now()
	if second < first || second > third {
		t.Errorf("host reads %d between the clock's %d and %d", second, first, third)
	}
}

func TestNewErrsOnlyInWaysItNames(t *testing.T) {
	host, err := epoll.New(epoll.Config{})
	switch {
	case err == nil:
		host.Close()
	case !errors.Is(err, port.ErrNotSupported) && !errors.Is(err, port.Backend):
		t.Errorf("New = %v, want an error with code %v or %v", err, port.NotSupported, port.Backend)
	}
}
