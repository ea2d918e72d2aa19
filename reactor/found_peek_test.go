package reactor_test

import (
	"errors"
	"testing"

	"gpureactor/deadline"
	"gpureactor/port"
)

// A peek that moves the word to the end and fails leaves the stream active for ever.
func TestFailedPeekThatReachedDoesNotSpin(t *testing.T) {
	g := newRig(t, flagPlan)
	src := &peekSource{fakeSource: newSource(0)}
	s := g.register(src)
	f := g.submit(s, "p")
	src.at, src.err = 1, errFault
	g.turnUntil(f)
	if f.Err() != nil {
		t.Fatal(f.Err())
	}
	for range 100 {
		g.r.Turn(g.clock.Now().Add(ms))
	}
	if st := g.r.Stats(); st.Peeks > 3 || st.DomainFailures > 2 {
		t.Fatalf("nothing is pending: %+v", st)
	}
	if _, err := g.r.Turn(port.Forever); !errors.Is(err, port.ErrStalled) {
		t.Fatal(err)
	}
}

// A domain failure inside Poll removes streams from under the harvest: Poll then
// says a time that is too late for a stream it skipped.
func TestPollAfterFailureInsideHarvest(t *testing.T) {
	g := newRig(t, predictPlan)
	a, c := newSource(0), newSource(2)
	p := &peekSource{fakeSource: newSource(1), err: errFault}
	p.domain = a.domain
	sa, sp, sc := g.register(a), g.register(p), g.register(c)
	g.r.Points().Point("far").Observe(deadline.Rule{Window: 1}, deadline.Exact(40*ms))
	g.submit(sa, "far")
	g.submit(sp, "p")
	g.submit(sc, "c") // cold: parks at once
	next, err := g.r.Poll()
	if err != nil {
		t.Fatal(err)
	}
	if next > g.clock.Now() {
		t.Fatalf("Poll says %d although the word of c is to be watched now", next)
	}
}
