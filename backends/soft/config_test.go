package soft

import (
	"math"
	"strings"
	"testing"
	"time"

	"gpureactor/port"
	"gpureactor/port/manual"
)

func TestConfigOutOfBoundsIsRefused(t *testing.T) {
	lines := testLines(2)
	for _, c := range []struct {
		config Config
		says   string
	}{
		{Config{MemoryBytes: -1}, "MemoryBytes is -1: want 1 to"},
		{Config{SpinTail: -1}, "SpinTail is -1ns: want 0 to 1ms"},
		{Config{SpinTail: time.Millisecond + 1}, "SpinTail is 1.000001ms"},
		{Config{SpinTail: 1, Alarm: new(manual.Clock)}, "SpinTail is 1ns: want 0 with an Alarm"},
		{Config{SettleBound: -1}, "SettleBound is -1ns: want 1ns to 1h0m0s"},
		{Config{SettleBound: time.Hour + 1}, "SettleBound is"},
		{Config{SettleBound: math.MaxInt64}, "SettleBound is"},
		{Config{Stamps: lines}, "len(Stamps) is 2: want 0, or len(Lines), 0"},
		{Config{Lines: lines, Stamps: testLines(1)}, "len(Stamps) is 1: want 0, or len(Lines), 2"},
		{Config{Lines: []*port.Line{lines[0], nil}}, "Lines[1] is nil"},
		{Config{Lines: []*port.Line{lines[0], lines[0]}}, "Lines[1] is a line given before"},
		{Config{Lines: lines[:1], Stamps: lines[:1]}, "Stamps[0] is a line given before"},
	} {
		d, err := Open(c.config)
		wants(t, c.says, err, port.ErrInvalidConfig)
		if d != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: error %q does not say %q", c.config, err, c.says)
		}
	}
}

func TestConfigAtItsBoundsIsTaken(t *testing.T) {
	for _, c := range []Config{
		{},
		{MemoryBytes: 1, SpinTail: time.Millisecond, SettleBound: time.Hour},
		{MemoryBytes: math.MaxInt, SettleBound: 1},
		{Lines: testLines(1), Stamps: testLines(1)},
	} {
		closeTest(t, openTest(t, c))
	}
}

func TestStatusNamesAreTheDrivers(t *testing.T) {
	for _, s := range []int64{StatusOutOfMemory, StatusDeinitialized, StatusQueueFull, StatusLaunchFailed,
		StatusDeviceLost, StatusTimeout, StatusSettleFailed, StatusUnknown} {
		name := StatusName(s)
		if !strings.HasPrefix(name, "SOFT_ERROR_") || (name == StatusName(-1)) != (s == StatusUnknown) {
			t.Errorf("status %d is named %q", s, name)
		}
	}
}
