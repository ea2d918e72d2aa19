package soft

import (
	"testing"

	"gpureactor/port"
	"gpureactor/port/manual"
)

// A lateAlarm runs its alarms only when told to, however late.
type lateAlarm struct {
	now    port.Time
	alarms alarms
}

func (a *lateAlarm) Now() port.Time              { return a.now }
func (a *lateAlarm) At(at port.Time, run func()) { a.alarms.push(at, run) }

// runOne moves the clock to now and runs the earliest alarm.
func (a *lateAlarm) runOne(now port.Time) {
	a.now = now
	a.alarms.pop()()
}

func TestLateAlarmDoesNotShiftTheDelaysBehind(t *testing.T) {
	alarm := new(lateAlarm)
	d := openTest(t, Config{Alarm: alarm})
	defer closeTest(t, d)
	s := newTestStream(t, d)
	for range 3 {
		must(t, s.Delay(10))
		markTest(t, s)
	}
	alarm.runOne(15)
	if got := s.Word().Load(); got != 1 || alarm.alarms.first() != 20 {
		t.Errorf("at 15: word %d, next alarm at %d; want 1 and 20", got, alarm.alarms.first())
	}
	alarm.runOne(35)
	if got := s.Word().Load(); got != 3 {
		t.Errorf("at 35: word %d, want 3: what was due is made up for at once", got)
	}
}

func TestEarlyAlarmDoesNotEndADelay(t *testing.T) {
	alarm := new(lateAlarm)
	d := openTest(t, Config{Alarm: alarm})
	defer closeTest(t, d)
	s := newTestStream(t, d)
	must(t, s.Delay(10))
	ticket := markTest(t, s)
	s.alarm()
	if ticket.Reached() || len(alarm.alarms.heap) != 1 {
		t.Errorf("reached %t, %d alarms set", ticket.Reached(), len(alarm.alarms.heap))
	}
}

// A watchedClock calls look at each reading.
type watchedClock struct {
	*manual.Clock
	look func()
}

func (c *watchedClock) Now() port.Time {
	c.look()
	return c.Clock.Now()
}

func TestStampIsWrittenBeforeTheWord(t *testing.T) {
	clock := &watchedClock{Clock: new(manual.Clock), look: func() {}}
	lines := testLines(2)
	d := openTest(t, Config{Alarm: clock, Lines: lines[:1], Stamps: lines[1:]})
	defer closeTest(t, d)
	s := newTestStream(t, d)
	readings := 0
	clock.look = func() {
		if readings++; s.Word().Load() != 0 {
			t.Error("the clock was read for the stamp after the word's store")
		}
	}
	ticket := markTest(t, s)
	clock.look = func() {}
	if readings != 1 || !ticket.Reached() {
		t.Errorf("%d readings, reached %t", readings, ticket.Reached())
	}
}
