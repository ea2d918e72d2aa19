package reactor_test

import (
	"testing"

	"gpureactor/port"
)

// An idle answer covers what was pending when it was asked. While it is being taken,
// a confirming head asks anew and moves queryTo under it: later work, still running,
// is called complete.
func TestIdleAnswerCompletesRunningWork(t *testing.T) {
	g, run := heldRig(t, flagPlan+"+confirm=status")
	src := newSource(0)
	s := g.register(src)
	asked := 0
	src.status = func() (port.Status, error) {
		if asked++; asked == 1 {
			return port.StatusIdle, nil // of before the later marks
		}
		return port.StatusBusy, nil
	}
	f1 := g.submit(s, "p")
	g.turnTo(port.Time(1050 * us)) // f1's backstop query is out, it covers ticket 1
	f2 := g.submit(s, "p")         // two more marks, whose work runs on
	f3 := g.submit(s, "p")
	src.word.Store(1) // lands before the answer is taken
	run()             // idle, of before those marks
	if f2.Ready() || f3.Ready() {
		t.Fatalf("success before the work ended: f1 %v %+v, f2 %v %+v, f3 %v; retired %v",
			f1.Err(), f1.Report(), f2.Err(), f2.Report(), f3.Ready(), src.retirements())
	}
}
