package reactor_test

import (
	"testing"

	"gpureactor/reactor"
)

// A stream registered after its ticket was reached: the source must be told all the
// same, since copies out are delivered by Retire.
func TestReachedBeforeRegisterIsRetired(t *testing.T) {
	g := newRig(t, flagPlan)
	src := newSource(0)
	tk, _ := src.Mark()
	src.word.Store(1)
	s := g.register(src)
	f, err := s.Watch(tk, reactor.Options{})
	if err != nil || !f.Ready() {
		t.Fatal(err, f.Ready())
	}
	if r := src.retirements(); len(r) != 1 {
		t.Fatalf("retirements %v: the waiter ran and the source knows nothing", r)
	}
}
