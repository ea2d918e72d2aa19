package reactor_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"gpureactor/deadline"
	"gpureactor/port"
	"gpureactor/reactor"
)

// Unregister fails the wait of the holder, who sleeps to a far prediction: it must be
// woken.
func TestUnregisterWakesASleepingHolder(t *testing.T) {
	r := liveReactor(t, flagPlan+"+predict:margin_us=0,min_sleep_us=20,max_sleep_us=3600000000,window=1")
	src := newSource(0)
	s := liveStream(t, r, src)
	r.Points().Point("p").Observe(deadline.Rule{Window: 1}, deadline.Exact(5*time.Minute))
	done := make(chan error, 1)
	go func() {
		_, err := s.Await(context.Background(), "p")
		done <- err
	}()
	for r.Stats().Turns == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(20 * time.Millisecond)
	s.Unregister()
	select {
	case err := <-done:
		if !errors.Is(err, port.ErrClosed) {
			t.Fatal(err)
		}
	case <-time.After(time.Minute):
		t.Error("the wait was failed but its goroutine sleeps on")
		<-done
	}
}

// A token that ends at once, or by Unregister, must end the owner's turn.
func TestTokenThatEndsAtOnceEndsTurn(t *testing.T) {
	for name, end := range map[string]func(src *fakeSource, s *reactor.Stream, q *reactor.Queue){
		"reached": func(src *fakeSource, _ *reactor.Stream, q *reactor.Queue) {
			src.word.Store(1)
			q.Watch(src.ticket(1), reactor.Options{}, 9)
		},
		"unregistered": func(_ *fakeSource, s *reactor.Stream, _ *reactor.Queue) { s.Unregister() },
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, flagPlan+"+predict:margin_us=0,min_sleep_us=20,max_sleep_us=50000,window=1")
			src := newSource(0)
			s, q := g.register(src), g.r.NewQueue()
			if name == "unregistered" {
				g.r.Points().Point("p").Observe(deadline.Rule{Window: 1}, deadline.Exact(50*ms))
				q.Watch(src.ticket(1), reactor.Options{Point: "p"}, 9)
			}
			g.clock.At(port.Time(ms), func() { end(src, s, q) })
			took, err := q.Turn(port.Time(500*ms), make([]reactor.Completion, 1))
			if err != nil || took.N != 1 || took.Now > port.Time(2*ms) {
				t.Fatalf("a completion lay ready while Turn slept: %+v, %v", took, err)
			}
		})
	}
}

// Close must end an owner's sleep after Poll, too.
func TestCloseWakesPollOwner(t *testing.T) {
	g := newRig(t, flagPlan)
	next, err := g.r.Poll()
	if err != nil || next != port.Forever {
		t.Fatalf("Poll = %d, %v", next, err)
	}
	g.r.Close()
	if why := g.host.SleepUntil(port.Time(ms)); why != port.WokeCall {
		t.Fatalf("the owner's sleep ended by %v", why)
	}
}
