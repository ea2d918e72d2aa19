package fill_test

import (
	"reflect"
	"testing"
	"time"

	"gpureactor/fill"
	"gpureactor/reactor"
)

// work is CPU work of n slices, 10 us each.
func (g *rig) work(n int) func(*fill.Task) error {
	return func(t *fill.Task) error {
		for range n {
			g.clock.Advance(10 * us)
			if err := t.Yield(); err != nil {
				return err
			}
		}
		g.note("worked")
		return nil
	}
}

// counts compares the counters with what is wanted; looks are not compared.
func (g *rig) counts(got, want fill.Stats) {
	g.t.Helper()
	got.Looks = 0
	if !reflect.DeepEqual(got, want) {
		g.t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// The reference's example: the device stores at 2, 4 and 6 ms, three tasks await a
// slot each, a fourth does CPU work in slices of 10 us, up to 4.5 ms here.
func TestReferenceScript(t *testing.T) {
	g := newRig(t, flagPlan, fill.Config{})
	for i := range 3 {
		ticket := g.after(g.stream(), time.Duration(i+1)*2*ms)
		g.e.Go("await", func(t *fill.Task) error {
			_, err := t.Await(ticket, reactor.Options{})
			g.note("%d", i)
			return err
		})
	}
	g.e.Go("work", g.work(450))
	g.counts(g.ok(), fill.Stats{
		Tasks: 4, Ended: 4,
		Polls:  3*2 + 451, // a start and a completion each; 450 yields and a start
		Woke:   2,         // by the stores at 2 and 4 ms
		Parked: 15,        // windows of 100 us, from 4.5 ms to 6
		Idle:   1500 * us,
		Busy:   4500 * us,
	})
	g.same("2ms 0", "4ms 1", "4.5ms worked", "6ms 2")
}

// The reference's own test: slices of 10 us run while another task waits, and the
// store at 30 us is seen between two of them.
func TestWorkRunsWhileOthersWait(t *testing.T) {
	g := newRig(t, flagPlan, fill.Config{})
	ticket := g.after(g.stream(), 30*us)
	g.e.Go("await", func(t *fill.Task) error {
		_, err := t.Await(ticket, reactor.Options{})
		g.note("stored")
		return err
	})
	g.e.Go("work", g.work(5))
	g.counts(g.ok(), fill.Stats{Tasks: 2, Ended: 2, Polls: 2 + 6, Woke: 1, Busy: 50 * us})
	g.same("30µs stored", "50µs worked")
	if idles := g.host.Log(); len(idles) != 0 {
		t.Errorf("it idled although work was ready: %v", idles)
	}
}

// A step that was predicted is slept to, and the rest of it parked.
func TestIdleSleepsToThePrediction(t *testing.T) {
	g := newRig(t, predictPlan, fill.Config{})
	s := g.stream()
	g.e.Go("steps", func(t *fill.Task) error {
		for range 3 {
			if _, err := t.Await(g.after(s, ms), reactor.Options{Point: "step"}); err != nil {
				return err
			}
		}
		return nil
	})
	g.counts(g.ok(), fill.Stats{
		Tasks: 1, Ended: 1, Polls: 4,
		Slept:  2,          // 850 us, in the second step and the third
		Parked: 10 + 2 + 2, // windows of 100 us; then 150 us in two
		Idle:   3 * ms,
	})
}

// The executor sleeps to the earliest sleep of a task when nothing is awaited.
func TestSleepersWakeInOrder(t *testing.T) {
	g := newRig(t, flagPlan, fill.Config{})
	for i, d := range []time.Duration{3 * ms, ms, 2 * ms, ms} {
		g.e.Go("sleep", func(t *fill.Task) error {
			err := t.Sleep(d)
			g.note("%d", i)
			return err
		})
	}
	g.counts(g.ok(), fill.Stats{Tasks: 4, Ended: 4, Polls: 8, Slept: 3, Idle: 3 * ms})
	g.same("1ms 1", "1ms 3", "2ms 2", "3ms 0")
}

// A park is cut at the earliest sleep of a task: 50 us, the rest of the window, and
// 20 us of the next.
func TestParkEndsAtASleep(t *testing.T) {
	g := newRig(t, flagPlan, fill.Config{})
	ticket := g.after(g.stream(), 120*us)
	g.e.Go("await", func(t *fill.Task) error {
		_, err := t.Await(ticket, reactor.Options{})
		g.note("stored")
		return err
	})
	g.e.Go("sleep", func(t *fill.Task) error {
		err := t.Sleep(50 * us)
		g.note("slept")
		return err
	})
	g.counts(g.ok(), fill.Stats{Tasks: 2, Ended: 2, Polls: 4, Parked: 3, Idle: 120 * us})
	g.same("50µs slept", "120µs stored")
}
