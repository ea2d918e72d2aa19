package platform

import (
	"sync"
	"testing"
)

func TestBellRingsOnlyForTheFirstWakeOfABlock(t *testing.T) {
	for _, c := range []struct {
		name  string
		moves func(*bell)
		want  bool
	}{
		{"awake", func(*bell) {}, false},
		{"token there", func(b *bell) { b.wake() }, false},
		{"asleep", func(b *bell) { b.lieDown() }, true},
		{"asleep and woken", func(b *bell) { b.lieDown(); b.wake() }, false},
		{"risen", func(b *bell) { b.lieDown(); b.rise() }, false},
		{"risen, taken, asleep again", func(b *bell) { b.lieDown(); b.wake(); b.rise(); b.take(); b.lieDown() }, true},
		{"asleep and closed", func(b *bell) { b.lieDown(); b.close() }, false},
		{"closed", func(b *bell) { b.close() }, false},
	} {
		b := new(bell)
		c.moves(b)
		if got := b.wake(); got != c.want {
			t.Errorf("%s: wake() = %v, want %v", c.name, got, c.want)
		}
	}
}

func TestBellCloseRingsASleeperOnce(t *testing.T) {
	for _, c := range []struct {
		name        string
		moves       func(*bell)
		first, ring bool
	}{
		{"awake", func(*bell) {}, true, false},
		{"asleep", func(b *bell) { b.lieDown() }, true, true},
		{"asleep and woken", func(b *bell) { b.lieDown(); b.wake() }, true, true},
		{"closed", func(b *bell) { b.close() }, false, false},
	} {
		b := new(bell)
		c.moves(b)
		if first, ring := b.close(); first != c.first || ring != c.ring {
			t.Errorf("%s: close() = %v, %v, want %v, %v", c.name, first, ring, c.first, c.ring)
		}
	}
}

func TestBellRefusesABlockWithAReasonToEndIt(t *testing.T) {
	for _, c := range []struct {
		name  string
		moves func(*bell)
		want  bool
	}{
		{"nothing", func(*bell) {}, true},
		{"token", func(b *bell) { b.wake() }, false},
		{"taken token", func(b *bell) { b.wake(); b.take() }, true},
		{"closed", func(b *bell) { b.close() }, false},
	} {
		b := new(bell)
		c.moves(b)
		before := b.look()
		if got := b.lieDown(); got != c.want {
			t.Errorf("%s: lieDown() = %v, want %v", c.name, got, c.want)
		}
		if b.look() != before {
			t.Errorf("%s: lieDown changed the reasons from %b to %b", c.name, before, b.look())
		}
	}
}

func TestTwoSleepersOnOneBellAreABug(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a second lieDown does not panic")
		}
	}()
	b := new(bell)
	b.lieDown()
	b.lieDown()
}

// A channel of one slot stands for the kernel: every wake has to bring the sleeper
// round, either by the token it finds or by the ring in the slot.
func TestBellLosesNoWake(t *testing.T) {
	const rounds, wakers = 20_000, 2
	b, ring := new(bell), make(chan struct{}, 1)
	var given, done sync.WaitGroup
	turns := make(chan int, wakers)
	for range wakers {
		done.Go(func() {
			for range turns {
				if b.wake() {
					ring <- struct{}{}
				}
				given.Done()
			}
		})
	}
	for range rounds {
		given.Add(wakers)
		for i := range wakers {
			turns <- i
		}
		for b.look()&rung == 0 {
			if b.lieDown() {
				<-ring
				b.rise()
			}
		}
		given.Wait()
		b.take()
		select {
		case <-ring: // rung while the sleeper found the token by itself
		default:
		}
	}
	close(turns)
	done.Wait()
}
