package reactor_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"gpureactor/reactor"
)

// With one processor a holder whose idles are short must let others run: with parks of
// 20 us and less (a peeker's always are) the host never yields, nor does the turn.
// Counted, not timed: how many turns until a ready goroutine runs.
func TestShortParksYield(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, c := range []struct {
		plan string
		peek bool
	}{{"flag:park_us=100,backstop_us=100000", false}, {"flag:park_us=10,backstop_us=100000", false}, {flagPlan, true}} {
		r := liveReactor(t, c.plan)
		src := newSource(0)
		var s *reactor.Stream
		if c.peek {
			s = liveStream(t, r, &peekSource{fakeSource: src})
		} else {
			s = liveStream(t, r, src)
		}
		var worst uint64
		var slow time.Duration
		for n := range uint64(20) {
			tk := src.ticket(n + 1)
			go func() { src.word.Raise(tk.Target()) }()
			before, at := r.Stats().Turns, time.Now()
			if _, err := s.AwaitTicket(context.Background(), tk, reactor.Options{}); err != nil {
				t.Fatal(err)
			}
			worst = max(worst, r.Stats().Turns-before)
			slow = max(slow, time.Since(at))
		}
		t.Logf("%s peek=%v: %d turns at most, %v", c.plan, c.peek, worst, slow)
		if worst > 100 {
			t.Errorf("%s peek=%v: a ready goroutine waited for %d turns (%v)", c.plan, c.peek, worst, slow)
		}
	}
}
