package reactor_test

import (
	"errors"
	"testing"
	"time"

	"gpureactor/backends/soft"
	"gpureactor/port"
	"gpureactor/reactor"
	"gpureactor/waitplan"
)

// A faultCase is one failure of the device and what becomes of six waits: three
// marks on each of two streams, each behind 300 us of work.
type faultCase struct {
	fault soft.Fault
	// fails are the waits that must fail, by stream and mark from 1; they carry
	// the driver's status.
	fails  []wait
	status int64
	// refused are the marks that the driver refuses.
	refused []wait
	// lost is the number of waits that must complete by the driver's word.
	lost uint64
	// closes is the code of the device's Close, 0 for none.
	closes port.Code
}

type wait struct{ stream, mark int }

// faultCases is every fault of the soft device's script, with the times at which
// it strikes differently.
var faultCases = map[string]faultCase{
	"store late":           {fault: soft.Fault{Kind: soft.StoreLate, Mark: 2, By: 100 * us}},
	"last store late":      {fault: soft.Fault{Kind: soft.StoreLate, Mark: 3, By: 50 * ms}, lost: 1},
	"store lost":           {fault: soft.Fault{Kind: soft.StoreLost, Mark: 2}},
	"last store lost":      {fault: soft.Fault{Kind: soft.StoreLost, Mark: 3}, lost: 1},
	"store twice at once":  {fault: soft.Fault{Kind: soft.StoreTwice, Mark: 2}},
	"store twice, later":   {fault: soft.Fault{Kind: soft.StoreTwice, Mark: 1, By: 500 * us}},
	"stores swapped":       {fault: soft.Fault{Kind: soft.StoreSwapped, Mark: 1}},
	"last store swapped":   {fault: soft.Fault{Kind: soft.StoreSwapped, Mark: 3}, lost: 1},
	"store too low":        {fault: soft.Fault{Kind: soft.StoreLow, Mark: 2}},
	"last store too low":   {fault: soft.Fault{Kind: soft.StoreLow, Mark: 3, Below: 1}, lost: 1},
	"mark refused":         {fault: soft.Fault{Kind: soft.MarkRefused, Mark: 2}, refused: []wait{{0, 2}}},
	"mark refused, queued": {fault: soft.Fault{Kind: soft.MarkUnsure, Mark: 2}, refused: []wait{{0, 2}}},
	"settle fails":         {fault: soft.Fault{Kind: soft.SettleFails}, closes: port.Unsettled},
	"device lost at once": {
		fault: soft.Fault{Kind: soft.DeviceLost, After: us}, status: soft.StatusDeviceLost,
		fails: []wait{{0, 1}, {0, 2}, {0, 3}, {1, 1}, {1, 2}, {1, 3}},
	},
	"device lost midway": {
		fault: soft.Fault{Kind: soft.DeviceLost, After: 450 * us}, status: soft.StatusDeviceLost,
		fails: []wait{{0, 2}, {0, 3}, {1, 2}, {1, 3}},
	},
}

func TestEveryFaultEndsEveryWaitWithinTwoBackstops(t *testing.T) {
	for _, plan := range []string{pollPlan, flagPlan, predictPlan, flagPlan + "+confirm=status"} {
		for name, c := range faultCases {
			t.Run(name+"/"+plan, func(t *testing.T) { c.run(t, plan) })
		}
	}
}

func (c faultCase) run(t *testing.T, plan string) {
	backstop := ms
	if plan == pollPlan {
		backstop = waitplan.PollBackstop
	}
	g := newRig(t, plan)
	dev, err := soft.Open(soft.Config{Alarm: g.host, Script: []soft.Fault{c.fault}})
	if err != nil {
		t.Fatal(err)
	}
	futures := c.submit(t, g, dev)
	for _, f := range futures {
		g.turnUntil(f)
	}
	last := max(900*us, 900*us+c.fault.By)
	if c.lost > 0 || len(c.fails) > 0 {
		last = 900 * us
	}
	if end := time.Duration(g.clock.Now()); end > last+2*backstop {
		t.Errorf("the last wait ended at %v", end)
	}
	for w, f := range futures {
		c.check(t, w, f)
	}
	if st := g.r.Stats(); st.Pending != 0 || st.LostStores < c.lost {
		t.Errorf("%d pending, %d lost stores, want %d", st.Pending, st.LostStores, c.lost)
	}
	if st := dev.Stats(); st.BadRetires != 0 {
		t.Errorf("the source was told wrongly %d times what retired", st.BadRetires)
	}
	g.r.Close()
	if err := dev.Close(); c.closes == 0 && err != nil || c.closes != 0 && !errors.Is(err, c.closes) {
		t.Errorf("Close = %v", err)
	}
}

// submit queues the work of the case and returns the waits.
func (c faultCase) submit(t *testing.T, g *rig, dev *soft.Device) map[wait]*reactor.Future {
	t.Helper()
	futures := map[wait]*reactor.Future{}
	for i := range 2 {
		stream, err := dev.NewStream()
		if err != nil {
			t.Fatal(err)
		}
		s := g.register(stream)
		for n := range 3 {
			w := wait{i, n + 1}
			if err := stream.(port.Delayer).Delay(300 * us); err != nil {
				t.Fatal(err)
			}
			f, err := s.Submit("p")
			if contains(c.refused, w) {
				if !errors.Is(err, port.MarkRefused) && !errors.Is(err, port.Backend) {
					t.Errorf("mark %v: %v, want it refused", w, err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			futures[w] = f
		}
	}
	return futures
}

// check says whether one wait ended as it must.
func (c faultCase) check(t *testing.T, w wait, f *reactor.Future) {
	t.Helper()
	var e *port.Error
	switch {
	case !contains(c.fails, w):
		if f.Err() != nil {
			t.Errorf("wait %v: %v", w, f.Err())
		}
	case !errors.As(f.Err(), &e) || e.Driver == nil || e.Driver.Status != c.status || e.Driver.Name == "":
		t.Errorf("wait %v: %v, want the driver's status %d", w, f.Err(), c.status)
	}
}

func contains(all []wait, w wait) bool {
	for _, x := range all {
		if x == w {
			return true
		}
	}
	return false
}

// A status that fails while stores still land fails what is pending when it is
// asked: with a backstop of its own, later than every store, nothing is.
func TestFailingStatusFailsWhatIsPendingWhenItIsAsked(t *testing.T) {
	g := newRig(t, flagPlan)
	dev, err := soft.Open(soft.Config{Alarm: g.host, Script: []soft.Fault{
		{Kind: soft.StatusFails, Stream: soft.AllStreams, After: 500 * us, Status: 77, Name: "SOFT_ODD", Sticky: true},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	stream, err := dev.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	s := g.register(stream)
	early, late := g.delayed(s, stream, 400*us), g.delayed(s, stream, 10*ms)
	g.turnUntil(late)
	var e *port.Error
	if early.Err() != nil || !errors.As(late.Err(), &e) || e.Driver == nil || e.Driver.Status != 77 || e.Driver.Name != "SOFT_ODD" {
		t.Fatalf("early %v, late %v", early.Err(), late.Err())
	}
	if end := g.clock.Now(); end > port.Time(2500*us) {
		t.Fatalf("failed at %d", end)
	}
}

func (g *rig) delayed(s *reactor.Stream, stream port.Stream, d time.Duration) *reactor.Future {
	g.t.Helper()
	if err := stream.(port.Delayer).Delay(d); err != nil {
		g.t.Fatal(err)
	}
	return g.submit(s, "p")
}

// Copies out are in place when the wait returns, whichever way it was waited.
func TestCopiedBytesAreThereWhenTheWaitReturns(t *testing.T) {
	for _, plan := range []string{pollPlan, flagPlan, predictPlan, blockPlan} {
		r := liveReactor(t, plan)
		dev, err := soft.Open(soft.Config{})
		if err != nil {
			t.Fatal(err)
		}
		copyRounds(t, r, dev)
		r.Close()
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	}
}

func copyRounds(t *testing.T, r *reactor.Reactor, dev *soft.Device) {
	t.Helper()
	stream, err := dev.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	buffer, err := dev.Alloc(4096)
	if err != nil {
		t.Fatal(err)
	}
	s := liveStream(t, r, stream)
	for n := range 300 {
		out := make([]byte, 4096)
		if err := errors.Join(stream.Fill(buffer, 0, 4096, byte(n)), stream.CopyOut(out, buffer, 0)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Await(t.Context(), "p"); err != nil {
			t.Fatal(err)
		}
		for i, b := range out {
			if b != byte(n) {
				t.Fatalf("round %d: byte %d is %d", n, i, b)
			}
		}
	}
}
