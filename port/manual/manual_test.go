package manual_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"gpureactor/internal/testmain"
	"gpureactor/port"
	"gpureactor/port/manual"
)

func TestMain(m *testing.M) { testmain.Main(m) }

func TestAlarmsRunInOrderAtTheirTimes(t *testing.T) {
	var c manual.Clock
	var log []string
	note := func(name string) func() {
		return func() { log = append(log, fmt.Sprintf("%s@%d", name, c.Now())) }
	}
	c.At(30, note("c"))
	c.At(10, func() {
		note("a")()
		c.At(20, note("nested"))
		c.At(5, note("past"))
	})
	c.At(30, note("d"))
	c.At(40, note("later"))
	c.Set(35)
	if want := "[a@10 past@10 nested@20 c@30 d@30]"; fmt.Sprint(log) != want || c.Now() != 35 {
		t.Fatalf("%v at %d, want %s", log, c.Now(), want)
	}
	if next, ok := c.Next(); !ok || next != 40 || c.Pending() != 1 {
		t.Fatalf("next %d, %v, %d pending", next, ok, c.Pending())
	}
}

func TestClockNeverGoesBack(t *testing.T) {
	var c manual.Clock
	c.Set(100)
	ran := false
	c.At(50, func() { ran = true })
	c.Set(10)
	if c.Now() != 100 || !ran {
		t.Fatalf("at %d, what was due ran: %v", c.Now(), ran)
	}
	c.Advance(-time.Hour)
	if c.Now() != 100 {
		t.Fatalf("at %d after a negative advance", c.Now())
	}
}

func TestSleepEndsAtItsTimeOrWithTheAlarmThatWakes(t *testing.T) {
	c := &manual.Clock{}
	h := manual.NewHost(c)
	h.Overshoot = 7
	if why := h.SleepUntil(100); why != port.WokeTime || c.Now() != 107 {
		t.Fatalf("%v at %d", why, c.Now())
	}
	c.At(200, h.Wake)
	if why := h.SleepUntil(1000); why != port.WokeCall || c.Now() != 200 {
		t.Fatalf("%v at %d", why, c.Now())
	}
	h.Wake()
	h.Wake()
	if why := h.SleepUntil(1000); why != port.WokeCall || c.Now() != 200 {
		t.Fatalf("%v at %d: a wake before the sleep was lost", why, c.Now())
	}
	if why := h.SleepUntil(300); why != port.WokeTime || c.Now() != 307 {
		t.Fatalf("%v at %d: two wakes ended two sleeps", why, c.Now())
	}
	if why := h.SleepUntil(5); why != port.WokeTime || c.Now() != 307 {
		t.Fatalf("%v at %d: a sleep into the past moved the clock", why, c.Now())
	}
}

// park parks without a line and leaves the reading out.
func park(h *manual.Host, _ *port.Line, ready func() bool, bound port.Time) bool {
	hit, _ := h.ParkLine(nil, ready, bound)
	return hit
}

func TestParkEndsWithTheStoreItsBoundOrAWake(t *testing.T) {
	c := &manual.Clock{}
	h := manual.NewHost(c)
	w := new(port.Line).Word(port.Slot{})
	ready := func() bool { return w.Load() == 1 }
	c.At(50, func() { w.Store(1) })
	if !park(h, nil, ready, 100) || c.Now() != 50 {
		t.Fatalf("at %d", c.Now())
	}
	w.Store(0)
	if park(h, nil, ready, 100) || c.Now() != 100 {
		t.Fatalf("at %d", c.Now())
	}
	c.At(120, h.Wake)
	if park(h, nil, ready, 200) || c.Now() != 120 {
		t.Fatalf("at %d", c.Now())
	}
	log := h.Log()
	if len(log) != 3 || log[0] != (manual.Idle{Op: manual.Park, To: 100, End: 50, Ready: true}) {
		t.Fatalf("log %+v", log)
	}
}

func TestSleepForeverWaitsForSomeoneElse(t *testing.T) {
	for name, end := range map[string]func(*manual.Host){
		"wake":  (*manual.Host).Wake,
		"close": func(h *manual.Host) { h.Close() },
		"alarm": func(h *manual.Host) { h.At(10, h.Wake) },
	} {
		h := manual.NewHost(&manual.Clock{})
		var all sync.WaitGroup
		var why port.Wakeup
		all.Go(func() { why = h.SleepUntil(port.Forever) })
		end(h)
		all.Wait()
		if want := map[bool]port.Wakeup{true: port.WokeClosed, false: port.WokeCall}[name == "close"]; why != want {
			t.Errorf("%s: %v", name, why)
		}
	}
}

func TestClosedHostIdlesNoMore(t *testing.T) {
	h := manual.NewHost(&manual.Clock{})
	h.Close()
	h.Close()
	h.Wake()
	for range 3 {
		if why := h.SleepUntil(port.Forever); why != port.WokeClosed {
			t.Fatalf("%v", why)
		}
		if park(h, nil, func() bool { return false }, port.Forever) {
			t.Fatal("a park of a closed host saw something")
		}
	}
}
