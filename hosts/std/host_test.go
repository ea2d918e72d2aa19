package std_test

import (
	"testing"
	"time"

	"gpureactor/hosts/std"
	"gpureactor/internal/platform"
	"gpureactor/port"
	"gpureactor/port/porttest"
)

func TestConformance(t *testing.T) {
	porttest.TestHost(t, func(*testing.T) port.Host { return std.New(std.Config{}) })
}

func TestConformanceOnAnotherClock(t *testing.T) {
	clock := laterClock{platform.NewClock()}
	porttest.TestHost(t, func(*testing.T) port.Host { return std.New(std.Config{Clock: clock}) })
}

// A laterClock reads an hour more than the kernel's.
type laterClock struct{ port.Clock }

func (c laterClock) Now() port.Time { return c.Clock.Now().Add(time.Hour) }

func TestAnotherClockIsTheHostsTime(t *testing.T) {
	clock := laterClock{platform.NewClock()}
	host := std.New(std.Config{Clock: clock})
	defer host.Close()
	first, second, third := clock.Now(), host.Now(), clock.Now()
	if second < first || second > third {
		t.Errorf("host reads %d between the clock's %d and %d", second, first, third)
	}
}

func TestInfoSaysWhatTheHostIsMadeOf(t *testing.T) {
	host := std.New(std.Config{})
	defer host.Close()
	if info := host.Info(); info.Name != "std" || info.Timer != "go timer" || info.Wake != "channel" || info.ParksInHardware {
		t.Errorf("Info() = %+v", info)
	}
}
