package reactor_test

import (
	"context"
	"testing"

	"gpureactor/reactor"
)

// A pooled future of a queue stays with the queue when AwaitTicket takes it: the await
// shows up as a completion with a stale token, and one future is in the pool twice.
func TestAwaitAfterTokenIsNoCompletion(t *testing.T) {
	g := newRig(t, flagPlan)
	src := newSource(0)
	s := g.register(src)
	q, dst := g.r.NewQueue(), make([]reactor.Completion, 8)
	for n := uint64(1); n < 40; n += 2 {
		src.word.Store(n)
		if err := q.Watch(src.ticket(n), reactor.Options{}, 77); err != nil {
			t.Fatal(err)
		}
		if k := q.Poll(dst).N; k != 1 {
			t.Fatalf("%d completions, want 1", k)
		}
		src.word.Store(n + 1)
		if _, err := s.AwaitTicket(context.Background(), src.ticket(n+1), reactor.Options{}); err != nil {
			t.Fatal(err)
		}
		if k := q.Poll(dst).N; k != 0 {
			t.Fatalf("an await came out as a completion: %+v", dst[0])
		}
	}
}
