package reactor_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"gpureactor/port"
	"gpureactor/reactor"
	"gpureactor/waitplan"
)

var errFault = port.DriverError("streamQuery", 700, "LAUNCH_FAILED")

func TestFailedStatusFailsTheWholeDomainWithTheDriversError(t *testing.T) {
	g := newRig(t, flagPlan)
	a, b, other := newSource(0), newSource(1), newSource(2)
	b.domain = a.domain
	sa, sb, so := g.register(a), g.register(b), g.register(other)
	fa1, fa2 := g.submit(sa, "p"), g.submit(sa, "p")
	fb, fo := g.submit(sb, "p"), g.submit(so, "p")
	g.clock.At(port.Time(300*us), func() { a.answer(0, errFault) })
	g.turnUntil(fa1)
	if end := g.clock.Now(); end > port.Time(300*us+2*ms) {
		t.Fatalf("failed at %d, later than two backstops", end)
	}
	for _, f := range []*reactor.Future{fa1, fa2, fb} {
		var e *port.Error
		if !errors.As(f.Err(), &e) || e.Driver == nil || e.Driver.Status != 700 || e.Driver.Name != "LAUNCH_FAILED" {
			t.Fatalf("error %v", f.Err())
		}
	}
	if fo.Ready() {
		t.Fatal("a stream of another domain failed too")
	}
	if r := a.retirements(); len(r) != 1 || r[0].upTo != 2 || r[0].err == nil {
		t.Fatalf("retirements %v", r)
	}
	other.word.Store(1)
	g.turnUntil(fo)
	if fo.Err() != nil {
		t.Fatal(fo.Err())
	}
}

func TestWorkThatTheWordReachedBeforeTheFailureSucceeds(t *testing.T) {
	g := newRig(t, flagPlan)
	src := newSource(0)
	s := g.register(src)
	done, lost := g.submit(s, "p"), g.submit(s, "p")
	src.status = func() (port.Status, error) {
		src.word.Store(1) // lands while the driver is asked
		return 0, errFault
	}
	g.turnUntil(lost)
	if done.Err() != nil || !errors.Is(lost.Err(), port.Backend) {
		t.Fatalf("first %v, second %v", done.Err(), lost.Err())
	}
}

func TestIdleStreamWithALostStoreCompletesAndIsCounted(t *testing.T) {
	g := newRig(t, flagPlan)
	src := newSource(0)
	s := g.register(src)
	f1, f2 := g.submit(s, "p"), g.submit(s, "p")
	g.clock.At(port.Time(500*us), func() {
		src.word.Store(1)
		src.answer(port.StatusIdle, nil)
	})
	g.turnUntil(f2)
	if f1.Err() != nil || f2.Err() != nil || f1.Report().LostStore || !f2.Report().LostStore {
		t.Fatalf("%+v %+v", f1.Report(), f2.Report())
	}
	if _, learned := f2.Report().Outcome(); learned {
		t.Fatal("a lost store taught a residual")
	}
	if st := g.r.Stats(); st.LostStores != 1 {
		t.Fatalf("lost stores %d", st.LostStores)
	}
	if g.clock.Now() > port.Time(2*ms) {
		t.Fatalf("completed at %d, later than two backstops", g.clock.Now())
	}
}

// A status that was asked before a mark says nothing of that mark's work.
func TestIdleCoversOnlyWhatWasPendingWhenItWasAsked(t *testing.T) {
	g := newRig(t, flagPlan)
	src := newSource(0)
	s := g.register(src)
	var later *reactor.Future
	src.status = func() (port.Status, error) {
		if later == nil {
			later = g.submit(s, "p")
		}
		return port.StatusIdle, nil
	}
	first := g.submit(s, "p")
	g.turnUntil(first)
	if later == nil || later.Ready() {
		t.Fatal("an answer from before the mark ended the later wait")
	}
	g.turnUntil(later)
}

func TestALowerValueIsNotACompletion(t *testing.T) {
	g := newRig(t, flagPlan)
	src := newSource(0)
	s := g.register(src)
	src.word.Store(5)
	f, err := s.Watch(src.ticket(6), reactor.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g.storeAt(100*us, src, 3)
	g.storeAt(200*us, src, 6)
	g.turnUntil(f)
	if g.clock.Now() != port.Time(200*us) {
		t.Fatalf("ended at %d", g.clock.Now())
	}
}

func TestOverdueStreamIsAskedBeforeItsBackstop(t *testing.T) {
	g := newRig(t, "flag:park_us=100,backstop_us=1000000+predict:margin_us=150,min_sleep_us=20,max_sleep_us=50000,window=8")
	src := newSource(0)
	s := g.register(src)
	g.storeAt(ms, src, 1)
	g.turnUntil(g.submit(s, "p"))
	src.answer(port.StatusIdle, nil) // and the store of the next mark is lost
	f := g.submit(s, "p")
	g.turnUntil(f)
	if end := g.clock.Now(); end > port.Time(4*ms) || !f.Report().LostStore {
		t.Fatalf("ended at %d, %+v", end, f.Report())
	}
}

func TestConfirmedPlanSucceedsOnlyAfterTheDriver(t *testing.T) {
	g := newRig(t, flagPlan+"+confirm=status")
	src := newSource(0)
	s := g.register(src)
	g.storeAt(100*us, src, 1)
	f := g.submit(s, "p")
	g.clock.At(port.Time(2500*us), func() { src.answer(port.StatusIdle, nil) })
	g.turnUntil(f)
	if g.clock.Now() < port.Time(2500*us) || f.Err() != nil || f.Report().LostStore {
		t.Fatalf("ended at %d: %v %+v", g.clock.Now(), f.Err(), f.Report())
	}
	if f.Report().Residual != 100*us {
		t.Fatalf("residual %v: want the time the word was seen", f.Report().Residual)
	}
	src.answer(0, errFault)
	src.word.Store(2)
	f = g.submit(s, "p")
	g.turnUntil(f)
	if !errors.Is(f.Err(), port.Backend) {
		t.Fatalf("a failed stream whose word was reached: %v", f.Err())
	}
}

func TestSourceIsNotToldOfAWaitThatTheDriverHasYetToConfirm(t *testing.T) {
	g := newRig(t, flagPlan)
	src := newSource(0)
	s := g.register(src)
	confirmed := bands(t, flagPlan+"+confirm=status").Select(0)
	plain := g.submit(s, "p")
	held, err := s.Watch(src.ticket(2), reactor.Options{Plan: &confirmed})
	if err != nil {
		t.Fatal(err)
	}
	behind, err := s.Watch(src.ticket(3), reactor.Options{})
	if err != nil {
		t.Fatal(err)
	}
	asked := false
	src.status = func() (port.Status, error) {
		asked = true
		if held.Ready() || behind.Ready() || !plain.Ready() {
			t.Errorf("ready when the driver is asked: %v, %v, %v", plain.Ready(), held.Ready(), behind.Ready())
		}
		if r := src.retirements(); len(r) != 1 || r[0] != (retirement{1, nil}) {
			t.Errorf("retirements %v when the driver is asked", r)
		}
		return port.StatusIdle, nil
	}
	g.storeAt(50*us, src, 3)
	g.turnUntil(behind)
	if !asked || held.Err() != nil || behind.Err() != nil {
		t.Fatalf("asked %v, %v, %v", asked, held.Err(), behind.Err())
	}
}

func TestConfirmTakesBusyWithLaterWorkForNoFailure(t *testing.T) {
	g := newRig(t, flagPlan+"+confirm=status")
	src := newSource(0)
	s := g.register(src)
	f1, f2 := g.submit(s, "p"), g.submit(s, "p")
	g.storeAt(100*us, src, 1)
	g.turnUntil(f1)
	if f1.Err() != nil || f2.Ready() {
		t.Fatalf("%v, second ready %v", f1.Err(), f2.Ready())
	}
}

func TestCloseFailsWhatIsPendingAndLetsGoOfSources(t *testing.T) {
	g := newRig(t, flagPlan)
	src := newSource(0)
	s := g.register(src)
	f := g.submit(s, "p")
	if src.held() != 1 {
		t.Fatal("a registered source is not acquired")
	}
	g.r.Close()
	g.r.Close()
	if !errors.Is(f.Err(), port.ErrClosed) || src.held() != 0 {
		t.Fatalf("%v, held %d", f.Err(), src.held())
	}
	if len(src.retirements()) != 0 {
		t.Fatal("a wait given up was told as retired")
	}
	if _, err := s.Submit("p"); !errors.Is(err, port.ErrClosed) || src.marked != 1 {
		t.Fatalf("Submit = %v, %d marks queued", err, src.marked)
	}
	if _, err := g.r.Register(newSource(0)); !errors.Is(err, port.ErrClosed) {
		t.Fatalf("Register = %v", err)
	}
	if _, err := g.r.Turn(0); !errors.Is(err, port.ErrClosed) {
		t.Fatalf("Turn = %v", err)
	}
	if _, err := g.r.Poll(); !errors.Is(err, port.ErrClosed) {
		t.Fatalf("Poll = %v", err)
	}
}

func TestUnregisterDuringAParkReleasesBehindIt(t *testing.T) {
	g := newRig(t, flagPlan)
	gone, stays := newSource(0), newSource(1)
	sg, ss := g.register(gone), g.register(stays)
	fg, fs := g.submit(sg, "p"), g.submit(ss, "p")
	held := -1
	g.clock.At(port.Time(50*us), func() {
		sg.Unregister()
		sg.Unregister()
		held = gone.held()
	})
	g.storeAt(100*us, stays, 1)
	g.turnUntil(fs)
	if held != 1 {
		t.Fatalf("held %d while the park looks at the word, want 1", held)
	}
	if gone.held() != 0 || !errors.Is(fg.Err(), port.ErrClosed) {
		t.Fatalf("held %d after the park, %v", gone.held(), fg.Err())
	}
}

func TestClosedSourceFailsAloneNotItsDomain(t *testing.T) {
	g := newRig(t, flagPlan)
	a, b := newSource(0), newSource(1)
	b.domain = a.domain
	fa, fb := g.submit(g.register(a), "p"), g.submit(g.register(b), "p")
	a.answer(0, port.NewError(port.Closed, "stream"))
	g.turnUntil(fa)
	if !errors.Is(fa.Err(), port.ErrClosed) || fb.Ready() {
		t.Fatalf("%v, neighbour ready %v", fa.Err(), fb.Ready())
	}
}

func TestBlockPlanBlocksInTheDriverAndNeedsNoTurns(t *testing.T) {
	g := newRig(t, blockPlan)
	src := newSource(0)
	var blockedOn uint64
	src.block = func(_ context.Context, tk port.Ticket) error {
		blockedOn = tk.Target()
		return nil
	}
	f := g.submit(g.register(src), "p")
	if !f.Ready() || f.Err() != nil || f.Report().Kind != waitplan.Blocked || blockedOn != 1 {
		t.Fatalf("%v %+v on %d", f.Err(), f.Report(), blockedOn)
	}
	src.block = func(context.Context, port.Ticket) error { return errFault }
	s, _ := g.r.Find(src.ticket(1))
	if f := g.submit(s, "p"); !errors.Is(f.Err(), port.Backend) {
		t.Fatalf("failed block: %v", f.Err())
	}
}

// peekSource is a stream whose device stores no word.
type peekSource struct {
	*fakeSource
	at  uint64
	err error
}

func (p *peekSource) Peek() (uint64, error) {
	p.word.Raise(p.at)
	return p.at, p.err
}

func TestPeekerIsAskedAndItsParkBecomesAPoll(t *testing.T) {
	g := newRig(t, flagPlan)
	src := &peekSource{fakeSource: newSource(0)}
	s := g.register(src)
	f := g.submit(s, "p")
	g.clock.At(port.Time(500*us), func() { src.at = 1 })
	g.turnUntil(f)
	if end := time.Duration(g.clock.Now()); end < 500*us || end > 520*us {
		t.Fatalf("ended at %v", end)
	}
	if st := g.r.Stats(); st.Peeks < 10 || st.Peeks > 40 || f.Report().Parks != 0 {
		t.Fatalf("peeks %d, %+v", st.Peeks, f.Report())
	}
	src.err = errFault
	f = g.submit(s, "p")
	g.turnUntil(f)
	if !errors.Is(f.Err(), port.Backend) {
		t.Fatalf("failed peek: %v", f.Err())
	}
}

func TestBadInputIsRefusedAndChangesNothing(t *testing.T) {
	g := newRig(t, flagPlan)
	src, foreign := newSource(0), newSource(0)
	s := g.register(src)
	invalid := waitplan.Plan{Park: waitplan.Flag}
	closed := newSource(0)
	closed.closed = true
	pendingFuture := g.submit(s, "p")
	second := func() error { _, err := g.r.Register(src); return err }
	watch := func(tk port.Ticket, o reactor.Options) func() error {
		return func() error { _, err := s.Watch(tk, o); return err }
	}
	for _, c := range []struct {
		name string
		do   func() error
		want port.Code
	}{
		{"nil source", func() error { _, err := g.r.Register(nil); return err }, port.InvalidSource},
		{"closed source", func() error { _, err := g.r.Register(closed); return err }, port.Closed},
		{"source twice", second, port.InvalidSource},
		{"zero ticket", watch(port.Ticket{}, reactor.Options{}), port.InvalidTicket},
		{"ticket of another stream", watch(foreign.ticket(1), reactor.Options{}), port.Foreign},
		{"invalid plan", watch(src.ticket(9), reactor.Options{Plan: &invalid}), port.InvalidPlan},
		{"nil future", func() error { return s.WatchInto(nil, src.ticket(9), reactor.Options{}) }, port.InvalidConfig},
		{"pending future", func() error { return s.WatchInto(pendingFuture, src.ticket(9), reactor.Options{}) }, port.FutureBusy},
		{"ticket of another reactor", func() error {
			_, err := g.r.Await(context.Background(), foreign.ticket(1), reactor.Options{})
			return err
		}, port.Foreign},
		{"unused future", func() error { return new(reactor.Future).Wait(context.Background()) }, port.InvalidTicket},
		{"no host", func() error { _, err := reactor.New(reactor.Config{}); return err }, port.InvalidConfig},
		{"no plan", func() error { _, err := reactor.New(reactor.Config{Host: g.host}); return err }, port.InvalidConfig},
		{"negative points", func() error {
			_, err := reactor.New(reactor.Config{Host: g.host, Plans: bands(t, pollPlan), Points: -1})
			return err
		}, port.InvalidConfig},
	} {
		if err := c.do(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if st := g.r.Stats(); st.Pending != 1 || st.Submitted != 1 || st.Streams != 1 || src.held() != 1 {
		t.Fatalf("something changed: %+v, held %d", st, src.held())
	}
}

func TestPlanWithoutItsCapabilityFallsBackOrIsRefusedUnderStrict(t *testing.T) {
	g := newRig(t, flagPlan)
	strict, err := reactor.New(reactor.Config{Host: g.host, Plans: bands(t, flagPlan), Strict: true, NoBackground: true})
	if err != nil {
		t.Fatal(err)
	}
	defer strict.Close()
	src := &peekSource{fakeSource: newSource(0)}
	if _, err := strict.Register(src); !errors.Is(err, port.PlanRefused) || src.held() != 0 {
		t.Fatalf("%v, held %d", err, src.held())
	}
}
