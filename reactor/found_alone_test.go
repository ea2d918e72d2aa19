package reactor_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"gpureactor/port"
	"gpureactor/reactor"
)

// A waiter that is alone leaves lists, counters, estimator and baton to the next
// caller. Whoever calls next must not see that.
func TestWhatALoneWaiterLeavesIsNeverSeen(t *testing.T) {
	wait := func(g *rig) (*fakeSource, *reactor.Stream) {
		src := newSource(0)
		s := g.register(src)
		g.storeAt(3*ms, src, 1)
		if _, err := s.Await(context.Background(), "p"); err != nil {
			t.Fatal(err)
		}
		return src, s
	}
	next := map[string]func(g *rig, src *fakeSource, s *reactor.Stream){
		"Stats": func(g *rig, _ *fakeSource, _ *reactor.Stream) {
			st := g.r.Stats()
			if st.Ended != 1 || st.Pending != 0 || st.Parked != 1 || st.Parks == 0 {
				t.Errorf("stats %+v", st)
			}
		},
		"Points": func(g *rig, _ *fakeSource, _ *reactor.Stream) {
			if _, ok := g.r.Points().Point("p").Predicted(); !ok {
				t.Error("the wait taught nothing")
			}
		},
		"Turn": func(g *rig, _ *fakeSource, _ *reactor.Stream) {
			if _, err := g.r.Turn(port.Forever); !errors.Is(err, port.ErrStalled) {
				t.Errorf("%v, want stalled", err)
			}
		},
		"Poll": func(g *rig, _ *fakeSource, _ *reactor.Stream) {
			if next, err := g.r.Poll(); next != port.Forever || err != nil {
				t.Errorf("next %d, %v", next, err)
			}
		},
		"Unregister": func(g *rig, src *fakeSource, s *reactor.Stream) {
			if err := s.Unregister(); err != nil || src.held() != 0 {
				t.Errorf("%v, held %d", err, src.held())
			}
		},
		"Close": func(g *rig, src *fakeSource, _ *reactor.Stream) {
			if err := g.r.Close(); err != nil || src.held() != 0 {
				t.Errorf("%v, held %d", err, src.held())
			}
		},
		"Submit": func(g *rig, src *fakeSource, s *reactor.Stream) {
			f := g.submit(s, "p")
			g.storeAt(5*ms, src, 2)
			g.turnUntil(f)
			if st := g.r.Stats(); f.Err() != nil || st.Ended != 2 {
				t.Errorf("%v, %d ended", f.Err(), st.Ended)
			}
		},
	}
	for name, call := range next {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, predictPlan)
			src, s := wait(g)
			call(g, src, s)
		})
	}
}

// Two goroutines that are alone in turn each find what the other left.
func TestLoneWaitersInTurn(t *testing.T) {
	r := liveReactor(t, flagPlan)
	var all sync.WaitGroup
	for slot := range 2 {
		src := selfStoring{newSource(slot)}
		s := liveStream(t, r, src)
		late := newSource(slot + 2)
		slow := liveStream(t, r, late)
		all.Go(func() {
			for n := range uint64(2000) {
				if _, err := s.Await(context.Background(), "p"); err != nil {
					t.Error(err)
				}
				tk, _ := late.Mark()
				go late.word.Raise(n + 1)
				if _, err := slow.AwaitTicket(context.Background(), tk, reactor.Options{}); err != nil {
					t.Error(err)
				}
				if got := late.retirements(); got[len(got)-1].upTo != n+1 {
					t.Errorf("retired %v after %d", got[len(got)-1], n+1)
				}
			}
		})
	}
	all.Wait()
	if st := r.Stats(); st.Ended != 8000 || st.Pending != 0 {
		t.Errorf("%d ended, %d pending", st.Ended, st.Pending)
	}
}
