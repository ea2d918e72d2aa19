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

// A token that ends at once, or by Unregister, must wake the owner's loop.
func TestTokenThatEndsAtOnceWakesTheOwner(t *testing.T) {
	for name, end := range map[string]func(src *fakeSource, s *reactor.Stream){
		"reached": func(src *fakeSource, s *reactor.Stream) {
			src.word.Store(1)
			s.WatchToken(src.ticket(1), reactor.Options{}, 9)
		},
		"unregistered": func(src *fakeSource, s *reactor.Stream) { s.Unregister() },
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, flagPlan+"+predict:margin_us=0,min_sleep_us=20,max_sleep_us=50000,window=1")
			src := newSource(0)
			s := g.register(src)
			if name == "unregistered" {
				g.r.Points().Point("p").Observe(deadline.Rule{Window: 1}, deadline.Exact(50*ms))
				s.WatchToken(src.ticket(1), reactor.Options{Point: "p"}, 9)
			}
			next, err := g.r.Poll()
			if err != nil {
				t.Fatal(err)
			}
			g.clock.At(port.Time(ms), func() { end(src, s) })
			g.clock.At(port.Time(200*ms), func() { g.host.Wake() }) // ends the test
			g.host.SleepUntil(next)
			if g.clock.Now() > port.Time(2*ms) {
				t.Fatalf("the owner was not woken: slept to %d", g.clock.Now())
			}
		})
	}
}

// The same with an owner inside Turn.
func TestTokenThatEndsAtOnceEndsTurn(t *testing.T) {
	g := newRig(t, flagPlan)
	src := newSource(0)
	s := g.register(src)
	g.clock.At(port.Time(ms), func() {
		src.word.Store(1)
		s.WatchToken(src.ticket(1), reactor.Options{}, 9)
	})
	g.r.Turn(port.Time(500 * ms))
	if g.clock.Now() > port.Time(2*ms) {
		t.Fatalf("a completion lay ready while Turn slept to %d", g.clock.Now())
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
