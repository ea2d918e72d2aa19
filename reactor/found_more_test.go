package reactor_test

import (
	"bytes"
	"context"
	"testing"

	"gpureactor/backends/soft"
	"gpureactor/deadline"
	"gpureactor/port"
	"gpureactor/reactor"
	"gpureactor/waitplan"
)

// End to end on the soft device: the bytes are not there although the wait succeeded.
func TestRegisteredLateCopiesAreThere(t *testing.T) {
	g := newRig(t, flagPlan)
	d, err := soft.Open(soft.Config{Alarm: g.clock})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	st, err := d.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	b, _ := d.Alloc(4)
	st.Fill(b, 0, 4, 7)
	dst := make([]byte, 4)
	st.CopyOut(dst, b, 0)
	tk, _ := st.Mark()
	for !tk.Reached() {
		g.clock.Advance(us)
	}
	s := g.register(st)
	if _, err := s.AwaitTicket(context.Background(), tk, reactor.Options{}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(dst, []byte{7, 7, 7, 7}) {
		t.Fatalf("success and dst is %v", dst)
	}
	g.r.Close()
}

// A stream that begins to sleep during a park of others is not watched by it.
func TestUnwatchedWordIsNotSeen(t *testing.T) {
	const pp = "flag:park_us=10000,backstop_us=1000000+predict:margin_us=0,min_sleep_us=20,max_sleep_us=50000,window=1"
	g := newRig(t, pp)
	a, b := newSource(0), newSource(1)
	sa, sb := g.register(a), g.register(b)
	g.r.Points().Point("b").Observe(deadline.Rule{Window: 1}, deadline.Exact(30*ms))
	fa := g.submit(sa, "cold")
	var fb *reactor.Future
	g.clock.At(port.Time(ms), func() { fb = g.submit(sb, "b") })
	g.storeAt(2*ms, b, 1)
	g.storeAt(9*ms, a, 1)
	g.turnUntil(fa)
	g.turnUntil(fb)
	if r := fb.Report(); r.Bound == waitplan.Exact && r.Residual > 2*ms {
		t.Fatalf("nobody watched that word, and the report says %+v", r)
	}
}

// A status answer that comes while the holder sleeps is no watching.
func TestAnswerDuringSleepIsNoExactResidual(t *testing.T) {
	const pp = flagPlan + "+predict:margin_us=0,min_sleep_us=20,max_sleep_us=50000,window=1"
	g, run := heldRig(t, pp)
	src := newSource(0)
	s := g.register(src)
	f1 := g.submit(s, "cold")
	g.turnTo(port.Time(1100 * us)) // the backstop's query is out
	src.word.Store(1)
	g.turnUntil(f1)
	g.r.Points().Point("p").Observe(deadline.Rule{Window: 1}, deadline.Exact(30*ms))
	start := g.clock.Now()
	f2 := g.submit(s, "p")
	src.answer(port.StatusIdle, nil)
	g.clock.At(start.Add(ms), func() { src.word.Store(2) })
	g.clock.At(start.Add(20*ms), run)
	g.turnUntil(f2)
	if r := f2.Report(); r.Bound == waitplan.Exact && r.Residual > 2*ms {
		t.Fatalf("a sleeping wait: %+v", r)
	}
}
