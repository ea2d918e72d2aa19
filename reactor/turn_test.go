package reactor_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"gpureactor/port"
	"gpureactor/port/manual"
	"gpureactor/reactor"
	"gpureactor/waitplan"
)

func TestTurnWithNothingPendingIsStalledNotHung(t *testing.T) {
	g := newRig(t, flagPlan)
	if _, err := g.r.Turn(port.Forever); !errors.Is(err, port.ErrStalled) {
		t.Fatalf("Turn(Forever) = %v, want Stalled", err)
	}
	if kind, err := g.r.Turn(port.Time(ms)); err != nil || kind != reactor.Slept || g.clock.Now() != port.Time(ms) {
		t.Fatalf("Turn(1ms) = %v, %v at %d", kind, err, g.clock.Now())
	}
}

func TestColdPointParksAndWarmPointSleepsFirst(t *testing.T) {
	g := newRig(t, predictPlan)
	src := newSource(0)
	s := g.register(src)
	g.storeAt(ms, src, 1)
	f := g.submit(s, "p")
	g.turnUntil(f)
	if r := f.Report(); r.Kind != waitplan.Parked || r.Residual != ms || r.Slept != 0 || r.Parks != 10 {
		t.Fatalf("cold report %+v", r)
	}
	g.storeAt(2*ms, src, 2)
	f = g.submit(s, "p")
	before := len(g.host.Log())
	g.turnUntil(f)
	if r := f.Report(); r.Kind != waitplan.Parked || r.Residual != ms || r.Slept != 850*us {
		t.Fatalf("warm report %+v", r)
	}
	first := g.host.Log()[before]
	want := manual.Idle{Op: manual.Sleep, From: port.Time(ms), To: port.Time(ms + 850*us), End: port.Time(ms + 850*us)}
	if first != want {
		t.Fatalf("first idle %+v, want %+v", first, want)
	}
}

func TestLateWakeIsBoundedAndLowersThePrediction(t *testing.T) {
	g := newRig(t, predictPlan)
	src := newSource(0)
	s := g.register(src)
	g.storeAt(ms, src, 1)
	g.turnUntil(g.submit(s, "p"))
	g.storeAt(ms+500*us, src, 2)
	f := g.submit(s, "p")
	g.turnUntil(f)
	if r := f.Report(); r.Kind != waitplan.Late || r.Bound != waitplan.Upper || r.Residual != 850*us {
		t.Fatalf("report %+v", r)
	}
	p, _ := g.r.Points().Lookup("p")
	if d, _ := p.Predicted(); d != 425*us {
		t.Fatalf("prediction %v, want half of the wake", d)
	}
}

func TestNoIdlePassesADeadline(t *testing.T) {
	g := newRig(t, predictPlan)
	a, b := newSource(0), newSource(1)
	sa, sb := g.register(a), g.register(b)
	for i, src := range []*fakeSource{a, b} {
		g.storeAt(time.Duration(i+1)*ms, src, 1)
	}
	fa, fb := g.submit(sa, "a"), g.submit(sb, "b")
	g.turnUntil(fa)
	g.turnUntil(fb)
	start := time.Duration(g.clock.Now())
	g.storeAt(start+ms, a, 2)
	g.storeAt(start+2*ms, b, 2)
	before := len(g.host.Log())
	fa, fb = g.submit(sa, "a"), g.submit(sb, "b")
	g.turnUntil(fa)
	g.turnUntil(fb)
	log := g.host.Log()[before:]
	if log[0].Op != manual.Sleep || log[0].To != port.Time(start+850*us) {
		t.Fatalf("first idle %+v: want a sleep to the earlier deadline", log[0])
	}
	for _, idle := range log {
		if idle.Op == manual.Park && idle.From < port.Time(start+1850*us) && idle.To > port.Time(start+1850*us) {
			t.Fatalf("a park %+v passes the deadline of b", idle)
		}
	}
}

func TestOneStoreEndsAPrefixInOrderAfterTheSourceKnows(t *testing.T) {
	g := newRig(t, flagPlan)
	src := newSource(3)
	s := g.register(src)
	var order []int
	var retiredFirst bool
	src.onRetire = func(uint64) { retiredFirst = len(order) == 0 }
	var futures []*reactor.Future
	for i := range 6 {
		f := g.submit(s, "p")
		f.OnDone(func(*reactor.Future) { order = append(order, i) })
		futures = append(futures, f)
	}
	g.storeAt(50*us, src, 5)
	g.turnUntil(futures[4])
	if futures[5].Ready() {
		t.Fatal("the sixth ended with the fifth's store")
	}
	if len(order) != 5 || order[0] != 0 || order[4] != 4 || !retiredFirst {
		t.Fatalf("order %v, source first %v", order, retiredFirst)
	}
	if r := src.retirements(); len(r) != 1 || r[0] != (retirement{5, nil}) {
		t.Fatalf("retirements %v", r)
	}
}

func TestWatchOutOfOrderStillEndsInOrder(t *testing.T) {
	g := newRig(t, flagPlan)
	src := newSource(0)
	s := g.register(src)
	var order []uint64
	for _, n := range []uint64{3, 1, 4, 2} {
		f, err := s.Watch(src.ticket(n), reactor.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f.OnDone(func(f *reactor.Future) { order = append(order, f.Ticket().Target()) })
	}
	for n := range uint64(4) {
		src.word.Store(n + 1)
		if _, err := g.r.Turn(0); err != nil {
			t.Fatal(err)
		}
		if len(order) != int(n+1) || order[n] != n+1 {
			t.Fatalf("after store %d: %v", n+1, order)
		}
	}
}

func TestNumbersWrapAround(t *testing.T) {
	g := newRig(t, flagPlan)
	src := newSource(0)
	src.word.Store(^uint64(0) - 1)
	s := g.register(src)
	var futures []*reactor.Future
	for _, n := range []uint64{^uint64(0), 0, 1} {
		f, err := s.Watch(src.ticket(n), reactor.Options{})
		if err != nil {
			t.Fatal(err)
		}
		futures = append(futures, f)
	}
	g.storeAt(10*us, src, 0)
	g.turnUntil(futures[1])
	if !futures[0].Ready() || futures[2].Ready() {
		t.Fatal("wrapped targets ended wrongly")
	}
}

func TestWatchOfAReachedTicketEndsAtOnce(t *testing.T) {
	g := newRig(t, predictPlan)
	src := newSource(0)
	s := g.register(src)
	src.word.Store(1)
	f, err := s.Watch(src.ticket(1), reactor.Options{Point: "p"})
	if err != nil || !f.Ready() || f.Report().Kind != waitplan.Immediate {
		t.Fatalf("%v, ready %v, %+v", err, f.Ready(), f.Report())
	}
	if r := src.retirements(); len(r) != 1 {
		t.Fatalf("retirements %v", r)
	}
}

func TestCancelEndsOneWaitAndLeavesTheRest(t *testing.T) {
	for name, victim := range map[string]int{"head": 0, "middle": 1, "tail": 2} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, flagPlan)
			src := newSource(0)
			s := g.register(src)
			f := []*reactor.Future{g.submit(s, "p"), g.submit(s, "p"), g.submit(s, "p")}
			if !f[victim].Cancel() || f[victim].Cancel() {
				t.Fatal("Cancel must work once")
			}
			if !errors.Is(f[victim].Err(), port.ErrCancelled) {
				t.Fatalf("error %v", f[victim].Err())
			}
			g.storeAt(10*us, src, 3)
			for i := range f {
				g.turnUntil(f[i])
				if i != victim && f[i].Err() != nil {
					t.Fatalf("future %d: %v", i, f[i].Err())
				}
			}
			if st := g.r.Stats(); st.Pending != 0 || st.Cancelled != 1 || st.Ended != 3 {
				t.Fatalf("stats %+v", st)
			}
		})
	}
}

func TestEndedContextEndsTheWaitAndFreesItsRegistration(t *testing.T) {
	g := newRig(t, flagPlan)
	src := newSource(0)
	s := g.register(src)
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	g.clock.At(port.Time(300*us), func() { cancel(why) })
	if _, err := s.Await(ctx, "p"); !errors.Is(err, why) {
		t.Fatalf("Await = %v", err)
	}
	if st := g.r.Stats(); st.Pending != 0 || st.Cancelled != 1 {
		t.Fatalf("stats %+v", st)
	}
	// A later ticket of the same word is not confused by the one left behind.
	src.word.Store(1)
	f := g.submit(s, "p")
	if f.Ready() {
		t.Fatal("the store of the cancelled ticket ended a later one")
	}
	src.word.Store(2)
	g.turnUntil(f)
}

func TestOnlyAnEarlierStepWakesTheHost(t *testing.T) {
	g := newRig(t, predictPlan)
	src, early, later := newSource(0), newSource(1), newSource(2)
	s, se, sl := g.register(src), g.register(early), g.register(later)
	for i, p := range []string{"p", "early", "later"} {
		x := []*fakeSource{src, early, later}[i]
		at := time.Duration(g.clock.Now()) + []time.Duration{2 * ms, ms, 9 * ms}[i]
		g.storeAt(at, x, 1)
		g.turnUntil(g.submit([]*reactor.Stream{s, se, sl}[i], p))
	}
	start := time.Duration(g.clock.Now())
	f := g.submit(s, "p") // sleeps to start+1.85ms
	base := g.r.Stats().Wakes
	wakes := map[string]uint64{}
	at := func(d time.Duration, name string, do func()) {
		g.clock.At(port.Time(start+d), func() {
			do()
			wakes[name] = g.r.Stats().Wakes - base
		})
	}
	at(100*us, "same stream", func() { g.submit(s, "p") })
	at(200*us, "later step", func() { g.submit(sl, "later") })
	at(300*us, "earlier step", func() { g.submit(se, "early") })
	g.storeAt(start+2*ms, src, 2)
	g.turnUntil(f)
	if wakes["same stream"] != 0 || wakes["later step"] != 0 || wakes["earlier step"] != 1 {
		t.Fatalf("wakes %v", wakes)
	}
}

func TestPollHandsTheNextStepToTheOwnersLoop(t *testing.T) {
	g := newRig(t, predictPlan)
	src := newSource(0)
	s := g.register(src)
	g.storeAt(ms, src, 1)
	g.turnUntil(g.submit(s, "p"))
	if next, err := g.r.Poll(); err != nil || next != port.Forever {
		t.Fatalf("Poll with nothing pending = %d, %v", next, err)
	}
	f := g.submit(s, "p")
	if next, _ := g.r.Poll(); next != port.Time(ms+850*us) {
		t.Fatalf("Poll = %d, want the end of the predicted sleep", next)
	}
	g.clock.Set(port.Time(ms + 900*us))
	if next, _ := g.r.Poll(); next > g.clock.Now() {
		t.Fatalf("Poll = %d while the word is watched, want now", next)
	}
	src.word.Store(2)
	if _, err := g.r.Poll(); err != nil || !f.Ready() {
		t.Fatalf("%v, ready %v", err, f.Ready())
	}
}

func TestTokensComeOutInTheOrderOfTheirEnds(t *testing.T) {
	g := newRig(t, flagPlan)
	a, b := newSource(0), newSource(1)
	g.register(a)
	g.register(b)
	q := g.r.NewQueue()
	for i := range uint64(3) {
		if err := q.Watch(a.ticket(i+1), reactor.Options{}, 10+i); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.Watch(b.ticket(1), reactor.Options{}, 20); err != nil {
		t.Fatal(err)
	}
	g.storeAt(10*us, b, 1)
	g.storeAt(20*us, a, 3)
	got := make([]reactor.Completion, 2)
	var tokens []uint64
	for len(tokens) < 4 {
		took, err := q.Turn(port.Forever, got)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range got[:took.N] {
			if c.Err != nil || !c.Ticket.Valid() {
				t.Fatalf("completion %+v", c)
			}
			tokens = append(tokens, c.Token)
		}
	}
	for i, want := range []uint64{20, 10, 11, 12} {
		if tokens[i] != want {
			t.Fatalf("tokens %v", tokens)
		}
	}
}

func TestBandsChooseByRows(t *testing.T) {
	clock := &manual.Clock{}
	rows := &waitplan.Rows{}
	r, err := reactor.New(reactor.Config{
		Host: manual.NewHost(clock), Plans: bands(t, "poll;rows>=32:"+flagPlan), Rows: rows, NoBackground: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	src := newSource(0)
	s, err := r.Register(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rows  uint32
		parks uint32
	}{{31, 0}, {32, 1}} {
		rows.Publish(c.rows)
		f, err := s.Submit("p")
		if err != nil {
			t.Fatal(err)
		}
		n := f.Ticket().Target()
		clock.At(clock.Now().Add(10*us), func() { src.word.Store(n) })
		for !f.Ready() {
			if _, err := r.Turn(port.Forever); err != nil {
				t.Fatal(err)
			}
		}
		if f.Report().Parks != c.parks {
			t.Fatalf("rows %d: %+v", c.rows, f.Report())
		}
	}
}
