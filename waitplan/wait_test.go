package waitplan_test

import (
	"testing"
	"time"

	"gpureactor/port"
	"gpureactor/waitplan"

	"pgregory.net/rapid"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
)

const predictText = "flag:park_us=100,backstop_us=1000+predict:margin_us=150,min_sleep_us=20,max_sleep_us=50000,window=8"

func plan(t rapid.TB, text string) *waitplan.Plan {
	t.Helper()
	p, err := waitplan.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return &p
}

// line is one step of a script: the event at a time, and the action it must give.
type line struct {
	at    time.Duration
	event waitplan.Event
	kind  waitplan.ActionKind
	until time.Duration // for the kinds that have one
}

func TestWaitFollowsItsScript(t *testing.T) {
	for _, c := range []struct {
		name      string
		plan      string
		unarmed   bool
		predicted time.Duration
		script    []line
		want      waitplan.Report
	}{{
		name: "a ticket reached at the first look is immediate", plan: predictText, predicted: ms,
		script: []line{{0, waitplan.Reached, waitplan.Finish, 0}},
		want:   waitplan.Report{Kind: waitplan.Immediate, Bound: waitplan.Exact},
	}, {
		name: "without a mark it queries, and idle work is immediate", plan: predictText, unarmed: true,
		script: []line{{0, waitplan.Pending, waitplan.Query, 0}, {us, waitplan.Idle, waitplan.Finish, 0}},
		want:   waitplan.Report{Kind: waitplan.Immediate, Bound: waitplan.Exact, Queries: 1, Waited: us, Residual: us},
	}, {
		name: "running work is armed before the sleep", plan: predictText, unarmed: true, predicted: ms,
		script: []line{
			{0, waitplan.Pending, waitplan.Query, 0},
			{us, waitplan.Busy, waitplan.Arm, 0},
			{2 * us, waitplan.Armed, waitplan.SleepUntil, 850 * us},
			{860 * us, waitplan.Pending, waitplan.ParkUntil, 960 * us},
			{900 * us, waitplan.Seen, waitplan.Finish, 0},
		},
		want: waitplan.Report{Kind: waitplan.Parked, Bound: waitplan.Exact, Parks: 1, Queries: 1,
			Waited: 900 * us, Residual: 900 * us, Slept: 858 * us},
	}, {
		name: "work found done after the sleep is late and bounded", plan: predictText, predicted: ms,
		script: []line{
			{0, waitplan.Pending, waitplan.SleepUntil, 850 * us},
			{870 * us, waitplan.Reached, waitplan.Finish, 0},
		},
		want: waitplan.Report{Kind: waitplan.Late, Bound: waitplan.Upper, Waited: 870 * us, Residual: 870 * us, Slept: 870 * us},
	}, {
		name: "a sleep that is cut short goes on", plan: predictText, predicted: ms,
		script: []line{
			{0, waitplan.Pending, waitplan.SleepUntil, 850 * us},
			{300 * us, waitplan.Pending, waitplan.SleepUntil, 850 * us},
			{400 * us, waitplan.Seen, waitplan.Finish, 0},
		},
		want: waitplan.Report{Kind: waitplan.Parked, Bound: waitplan.Exact, Waited: 400 * us, Residual: 400 * us, Slept: 400 * us},
	}, {
		name: "parks are bounded by park_us and the backstop asks the driver", plan: "flag:park_us=400,backstop_us=1000",
		script: []line{
			{0, waitplan.Pending, waitplan.ParkUntil, 400 * us},
			{400 * us, waitplan.Pending, waitplan.ParkUntil, 800 * us},
			{800 * us, waitplan.Pending, waitplan.ParkUntil, 1000 * us},
			{1000 * us, waitplan.Pending, waitplan.Query, 0},
			{1000 * us, waitplan.Pending, waitplan.ParkUntil, 1200 * us},
			{1100 * us, waitplan.Busy, waitplan.ParkUntil, 1200 * us},
			{1200 * us, waitplan.Pending, waitplan.ParkUntil, 1600 * us},
			{1300 * us, waitplan.Seen, waitplan.Finish, 0},
		},
		want: waitplan.Report{Kind: waitplan.Parked, Bound: waitplan.Exact, Parks: 4, Queries: 1, Waited: 1300 * us, Residual: 1300 * us},
	}, {
		name: "an unanswered query is not asked again", plan: "flag:park_us=1000,backstop_us=1000",
		script: []line{
			{0, waitplan.Pending, waitplan.ParkUntil, ms},
			{ms, waitplan.Pending, waitplan.Query, 0},
			{ms, waitplan.Pending, waitplan.ParkUntil, 2 * ms},
			{2 * ms, waitplan.Pending, waitplan.ParkUntil, 3 * ms},
			{3 * ms, waitplan.Pending, waitplan.ParkUntil, 4 * ms},
			{3 * ms, waitplan.Idle, waitplan.Finish, 0},
		},
		want: waitplan.Report{Kind: waitplan.Parked, LostStore: true, Parks: 4, Queries: 1, Waited: 3 * ms},
	}, {
		name: "a poll asks the driver every ten milliseconds", plan: "poll",
		script: []line{
			{0, waitplan.Pending, waitplan.PollUntil, 10 * ms},
			{10 * ms, waitplan.Pending, waitplan.Query, 0},
			{10 * ms, waitplan.Pending, waitplan.PollUntil, 20 * ms},
			{10*ms + us, waitplan.Busy, waitplan.PollUntil, 20 * ms},
			{20 * ms, waitplan.Pending, waitplan.Query, 0},
			{20 * ms, waitplan.Seen, waitplan.Finish, 0},
		},
		want: waitplan.Report{Kind: waitplan.Parked, Bound: waitplan.Exact, Queries: 2, Waited: 20 * ms, Residual: 20 * ms},
	}, {
		name: "an overdue wait asks once before its backstop", predicted: ms,
		plan: "flag:park_us=10000,backstop_us=1000000+predict:margin_us=0,min_sleep_us=0,max_sleep_us=50000,window=1",
		script: []line{
			{0, waitplan.Pending, waitplan.SleepUntil, ms},
			{ms, waitplan.Pending, waitplan.ParkUntil, 2 * ms},
			{2 * ms, waitplan.Pending, waitplan.Query, 0},
			{2 * ms, waitplan.Pending, waitplan.ParkUntil, 11 * ms},
			{2*ms + us, waitplan.Busy, waitplan.ParkUntil, 11 * ms},
			{11 * ms, waitplan.Pending, waitplan.ParkUntil, 21 * ms},
			{12 * ms, waitplan.Seen, waitplan.Finish, 0},
		},
		want: waitplan.Report{Kind: waitplan.Parked, Bound: waitplan.Exact, Parks: 2, Queries: 1,
			Waited: 12 * ms, Residual: 12 * ms, Slept: ms},
	}, {
		name: "block blocks and learns nothing", plan: "block", predicted: ms,
		script: []line{
			{0, waitplan.Pending, waitplan.BlockOn, 0},
			{3 * ms, waitplan.Unblocked, waitplan.Finish, 0},
		},
		want: waitplan.Report{Kind: waitplan.Blocked, Waited: 3 * ms},
	}, {
		name: "a confirmed wait asks behind the word until the driver agrees", plan: "flag:park_us=100,backstop_us=1000+confirm=status",
		script: []line{
			{0, waitplan.Pending, waitplan.ParkUntil, 100 * us},
			{50 * us, waitplan.Seen, waitplan.Query, 0},
			{60 * us, waitplan.Busy, waitplan.SleepUntil, 1050 * us},
			{1050 * us, waitplan.Reached, waitplan.Query, 0},
			{1060 * us, waitplan.Idle, waitplan.Finish, 0},
		},
		want: waitplan.Report{Kind: waitplan.Parked, Bound: waitplan.Exact, Parks: 1, Queries: 2, Waited: 1060 * us, Residual: 50 * us},
	}} {
		t.Run(c.name, func(t *testing.T) {
			var w waitplan.Wait
			if c.unarmed {
				w.Begin(plan(t, c.plan), c.predicted, 0)
			} else {
				w.BeginTicket(plan(t, c.plan), c.predicted, 0)
			}
			for i, l := range c.script {
				got := w.Next(l.event, port.Time(l.at))
				if got != (waitplan.Action{Kind: l.kind, Until: port.Time(l.until)}) {
					t.Fatalf("line %d (%v at %v): %v until %v, want %v until %v",
						i, l.event, l.at, got.Kind, time.Duration(got.Until), l.kind, l.until)
				}
			}
			if got := w.Report(); got != c.want {
				t.Fatalf("report\n%+v, want\n%+v", got, c.want)
			}
			if a := w.Next(waitplan.Pending, port.Time(time.Hour)); a.Kind != waitplan.Finish {
				t.Fatalf("after its end the wait says %v", a.Kind)
			}
		})
	}
}

// Whatever it is told, a wait answers every event with an action that ends or has
// a time ahead, sleeps no longer than its cap, and finishes when the word is seen.
func TestWaitAlwaysMovesOn(t *testing.T) {
	plans := []string{
		"block", "poll", "flag:park_us=100,backstop_us=1000", predictText, predictText + "+confirm=status",
		"poll+predict:margin_us=0,min_sleep_us=0,max_sleep_us=1000,window=1",
	}
	rapid.Check(t, func(t *rapid.T) {
		p := plan(t, rapid.SampledFrom(plans).Draw(t, "plan"))
		predicted := time.Duration(rapid.Int64().Draw(t, "predicted"))
		now := port.Time(rapid.Int64Range(0, 1<<40).Draw(t, "start"))
		start := now
		var w waitplan.Wait
		w.BeginTicket(p, predicted, now)
		for range 200 {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(15*ms)).Draw(t, "step")))
			a := w.Next(waitplan.Pending, now)
			switch a.Kind {
			case waitplan.Query:
				if rapid.Bool().Draw(t, "answered") {
					w.Next(waitplan.Busy, now)
				}
			case waitplan.SleepUntil, waitplan.ParkUntil, waitplan.PollUntil:
				if a.Until <= now {
					t.Fatalf("%v until %d at %d", a.Kind, a.Until, now)
				}
				if a.Kind == waitplan.SleepUntil && !w.Confirming() && a.Until.Sub(start) > p.Deadline.MaxSleep {
					t.Fatalf("sleep of %v over the cap", a.Until.Sub(start))
				}
			case waitplan.BlockOn:
				if p.Park != waitplan.Block {
					t.Fatal("blocked without being told")
				}
			default:
				t.Fatalf("%v while the word is short", a.Kind)
			}
		}
		a := w.Next(waitplan.Seen, now)
		if p.Confirm {
			a = w.Next(waitplan.Idle, now)
		}
		if a.Kind != waitplan.Finish || w.Report().Kind == 0 {
			t.Fatalf("%v, %+v when the word was seen", a.Kind, w.Report())
		}
	})
}

func TestWaitAllocatesNothing(t *testing.T) {
	p := plan(t, predictText)
	var w waitplan.Wait
	if n := testing.AllocsPerRun(100, func() {
		w.BeginTicket(p, ms, 0)
		w.Next(waitplan.Pending, 0)
		w.Next(waitplan.Pending, port.Time(ms))
		w.Next(waitplan.Seen, port.Time(ms))
	}); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}
