package platform

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestGateFreesWithTheLastOneOut(t *testing.T) {
	for _, inside := range []int{0, 1, 3} {
		g := new(gate)
		for range inside {
			if !g.enter() {
				t.Fatal("an open gate refuses")
			}
		}
		if got := g.shut(); got != (inside == 0) {
			t.Errorf("%d inside: shut() = %v", inside, got)
		}
		if g.enter() {
			t.Errorf("%d inside: a shut gate lets in", inside)
		}
		for left := inside - 1; left >= 0; left-- {
			if got := g.leave(); got != (left == 0) {
				t.Errorf("%d inside, %d left: leave() = %v", inside, left, got)
			}
		}
	}
}

func TestGateFreesOnceAndNeverBesideAUser(t *testing.T) {
	for range 500 {
		g := new(gate)
		var users sync.WaitGroup
		var freed atomic.Int32
		free := func(last bool) {
			if last {
				freed.Add(1)
			}
		}
		for range 3 {
			users.Go(func() {
				for g.enter() {
					if freed.Load() != 0 {
						t.Error("freed while a user is inside")
					}
					free(g.leave())
				}
			})
		}
		free(g.shut())
		users.Wait()
		if freed.Load() != 1 {
			t.Fatalf("freed %d times", freed.Load())
		}
	}
}
