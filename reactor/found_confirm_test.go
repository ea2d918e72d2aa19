package reactor_test

import (
	"errors"
	"testing"

	"gpureactor/port"
	"gpureactor/port/manual"
	"gpureactor/reactor"
)

// heldRig is a rig whose offloaded calls run when the test says so.
func heldRig(t *testing.T, plan string) (*rig, func()) {
	t.Helper()
	g := &rig{t: t, clock: &manual.Clock{}}
	g.host = manual.NewHost(g.clock)
	var calls []func()
	r, err := reactor.New(reactor.Config{
		Host: g.host, Plans: bands(t, plan), NoBackground: true, Offload: func(f func()) { calls = append(calls, f) },
	})
	if err != nil {
		t.Fatal(err)
	}
	run := func() {
		for len(calls) > 0 {
			f := calls[0]
			calls = calls[1:]
			f()
		}
	}
	t.Cleanup(func() { run(); r.Close() })
	g.r = r
	return g, run
}

func (g *rig) turnTo(at port.Time) {
	g.t.Helper()
	for n := 0; g.clock.Now() < at; n++ {
		if n > 20000 {
			g.t.Fatalf("time stands still at %d: %+v", g.clock.Now(), g.r.Stats())
		}
		if _, err := g.r.Turn(at); err != nil {
			g.t.Fatal(err)
		}
	}
}

// One store covers two waits whose plan confirms: neither store was lost.
func TestConfirmedQueueIsNotALostStore(t *testing.T) {
	g := newRig(t, flagPlan+"+confirm=status")
	src := newSource(0)
	s := g.register(src)
	f1, f2 := g.submit(s, "p"), g.submit(s, "p")
	src.answer(port.StatusIdle, nil)
	g.storeAt(100*us, src, 2)
	g.turnUntil(f1)
	g.turnUntil(f2)
	if st := g.r.Stats(); st.LostStores != 0 || f2.Report().LostStore {
		t.Fatalf("lost stores %d, %+v: the word was reached", st.LostStores, f2.Report())
	}
}

// An idle answer to a query from before a mark leaves the later wait believing that
// its own query is out: it never asks again and never ends.
func TestStaleIdleAnswerHangsConfirm(t *testing.T) {
	g, run := heldRig(t, flagPlan+"+confirm=status")
	src := newSource(0)
	src.answer(port.StatusIdle, nil)
	s := g.register(src)
	f1 := g.submit(s, "p")
	g.storeAt(10*us, src, 1)
	g.turnTo(port.Time(20 * us)) // f1 confirming, its query is out
	f1.Cancel()
	f2 := g.submit(s, "p")
	src.word.Store(2)
	g.turnTo(port.Time(50 * us)) // f2 confirming, no query of its own
	run()                        // the old query says idle, which covers ticket 1
	for range 100 {
		g.turnTo(g.clock.Now().Add(ms))
		run()
	}
	if !f2.Ready() {
		t.Fatalf("pending after 100 backstops; %d queries", g.r.Stats().Queries)
	}
}

// The same without confirm: a later lost store or failure is never found.
func TestStaleIdleAnswerHidesFailure(t *testing.T) {
	g, run := heldRig(t, flagPlan)
	src := newSource(0)
	src.answer(port.StatusIdle, nil)
	s := g.register(src)
	f1 := g.submit(s, "p")
	g.turnTo(port.Time(1100 * us)) // f1's backstop query is out
	src.word.Store(1)
	g.turnUntil(f1)
	f2 := g.submit(s, "p")
	g.turnTo(g.clock.Now().Add(1100 * us)) // f2's backstop: the call is skipped
	run()                                  // the slow old answer: idle up to ticket 1
	src.answer(0, errFault)                // and now the device fails
	for range 100 {
		g.turnTo(g.clock.Now().Add(ms))
		run()
	}
	if !f2.Ready() || !errors.Is(f2.Err(), port.Backend) {
		t.Fatalf("ready %v, %v after 100 backstops on a failed device; %d queries", f2.Ready(), f2.Err(), g.r.Stats().Queries)
	}
}

// A busy answer to a query made for a cancelled wait confirms another wait.
func TestStaleBusyAnswerConfirms(t *testing.T) {
	g, run := heldRig(t, flagPlan+"+confirm=status")
	src := newSource(0)
	s := g.register(src)
	f1 := g.submit(s, "p")
	src.word.Store(1)
	g.turnTo(port.Time(20 * us)) // confirming; the driver is being asked: busy
	f1.Cancel()
	f2, _ := g.submit(s, "p"), g.submit(s, "p")
	src.word.Store(2)
	g.turnTo(port.Time(40 * us))
	run() // "busy", asked before the work of f2 was even queued
	if f2.Ready() {
		t.Fatalf("confirmed (%v) by an answer from before its mark", f2.Err())
	}
}

// Two waits for one ticket are not later work.
func TestTwinTicketIsNotLaterWork(t *testing.T) {
	g := newRig(t, flagPlan+"+confirm=status")
	src := newSource(0)
	s := g.register(src)
	f1, _ := s.Watch(src.ticket(1), reactor.Options{})
	f2, _ := s.Watch(src.ticket(1), reactor.Options{})
	g.storeAt(10*us, src, 1)
	src.answer(port.StatusBusy, nil)
	g.turnTo(port.Time(500 * us))
	if f1.Ready() || f2.Ready() || g.r.Stats().LostStores != 0 {
		t.Fatalf("busy, with nothing behind, confirmed: %v %v, %d lost stores", f1.Ready(), f2.Ready(), g.r.Stats().LostStores)
	}
}

// A stream that is being confirmed has its word reached: it must not end the park of
// its neighbours at once, over and over.
func TestConfirmingStreamDoesNotSpinThePark(t *testing.T) {
	g := newRig(t, flagPlan)
	confirm := bands(t, flagPlan+"+confirm=status").Select(0)
	a, b := newSource(0), newSource(1)
	sa, sb := g.register(a), g.register(b)
	a.answer(port.StatusBusy, nil)
	fa, err := sa.Watch(a.ticket(1), reactor.Options{Plan: &confirm})
	if err != nil {
		t.Fatal(err)
	}
	g.submit(sb, "b")
	g.storeAt(100*us, a, 1)
	g.clock.At(port.Time(2500*us), func() { a.answer(port.StatusIdle, nil) })
	g.turnUntil(fa)
}

// A confirm wait that was queued behind a long sleep teaches no exact residual.
func TestQueuedConfirmTeachesNothingExact(t *testing.T) {
	const pp = flagPlan + "+predict:margin_us=0,min_sleep_us=20,max_sleep_us=50000,window=1"
	g := newRig(t, pp)
	confirm := bands(t, pp+"+confirm=status").Select(0)
	src := newSource(0)
	s := g.register(src)
	g.storeAt(20*ms, src, 1)
	g.turnUntil(g.submit(s, "a"))
	src.answer(port.StatusIdle, nil)
	g.submit(s, "a")
	f2, err := s.Watch(src.ticket(3), reactor.Options{Plan: &confirm, Point: "b"})
	if err != nil {
		t.Fatal(err)
	}
	g.storeAt(21*ms, src, 3) // 1 ms into a sleep of 20
	g.turnUntil(f2)
	p, _ := g.r.Points().Lookup("b")
	if d, ok := p.Predicted(); ok && d > 10*ms || f2.Report().Kind == 2 {
		t.Fatalf("learned %v, %+v", d, f2.Report())
	}
}
