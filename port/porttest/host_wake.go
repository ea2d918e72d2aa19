package porttest

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"gpureactor/port"
)

func hostWakeCases() []HostCase {
	return []HostCase{
		{Name: "wake/before a sleep", Virtual: true, run: hostWakeBeforeSleep,
			Proves: "A wake that comes before a sleep ends it."},
		{Name: "wake/before a sleep that is over", Virtual: true, run: hostWakeBeforePast,
			Proves: "A sleep until a time that has passed reports a wake that was waiting, and takes it."},
		{Name: "wake/during a sleep", Virtual: true, run: hostWakeDuringSleep,
			Proves: "A wake that comes during a sleep ends it, and only that one."},
		{Name: "wake/many are one", Virtual: true, run: hostWakesAreOne,
			Proves: "A thousand wakes before a sleep, from several goroutines, end that sleep and leave nothing for the next."},
		{Name: "wake/burst in a sleep", Virtual: true, run: hostWakeBurst,
			Proves: "After a burst of wakes during a sleep at most one token is left, and then a short sleep runs in full."},
		{Name: "wake/none is lost", Virtual: true, run: hostWakeNoneLost,
			Proves: "Each of twenty thousand wakes, at all distances from the start of a sleep, ends one sleep, and what was written before a wake is seen after its sleep."},
		{Name: "wake/none is lost by several", Virtual: true, run: hostWakeSeveral,
			Proves: "Work handed over by four goroutines, each of which wakes the host, is all seen by a host that sleeps without end in between."},
	}
}

func hostWakeBeforeSleep(t *hostTry) {
	for range 100 {
		t.Wake()
		t.wantSleep(port.Forever, port.WokeCall)
	}
}

func hostWakeBeforePast(t *hostTry) {
	for _, at := range []port.Time{t.Now(), 0, -1} {
		t.Wake()
		t.wantSleep(at, port.WokeCall)
		t.wantSleep(at, port.WokeTime)
	}
}

func hostWakeDuringSleep(t *hostTry) {
	for range 50 {
		t.wokenSleep(port.Forever)
		t.wantSleep(t.Now().Add(50*time.Microsecond), port.WokeTime)
	}
}

func hostWakesAreOne(t *hostTry) {
	var wakers sync.WaitGroup
	for range 4 {
		wakers.Go(func() {
			for range 250 {
				t.Wake()
			}
		})
	}
	wakers.Wait()
	t.wantSleep(port.Forever, port.WokeCall)
	t.wantSleep(t.Now().Add(100*time.Microsecond), port.WokeTime)
}

// hostWakeBurst lets the burst run over the end of the sleep: the wakes after that
// leave one token, or none.
func hostWakeBurst(t *hostTry) {
	for range 20 {
		wait := t.meanwhile(func() {
			for range 1000 {
				t.Wake()
			}
		})
		t.wantSleep(port.Forever, port.WokeCall)
		wait()
		if got := t.SleepUntil(t.Now()); got != port.WokeCall && got != port.WokeTime {
			t.errorf("SleepUntil(now) ended by %v", got)
		}
		t.wantSleep(t.Now().Add(100*time.Microsecond), port.WokeTime)
	}
}

// hostWakeNoneLost answers each announced sleep with one wake. Both sides take
// their time, and some sleeps wait for the wake, so that it falls before the sleep,
// on its way into the kernel, and within. note is not atomic: the race detector
// checks that the wake alone publishes it.
func hostWakeNoneLost(t *hostTry) {
	const rounds = 20_000
	var announced, woken atomic.Int64
	note := int64(0)
	var waker sync.WaitGroup
	waker.Go(func() {
		for round := int64(1); round <= rounds; round++ {
			for announced.Load() < round {
				runtime.Gosched()
			}
			dawdle(int(round % 512))
			note = round
			t.Wake()
			woken.Store(round)
		}
	})
	for round := int64(1); round <= rounds; round++ {
		announced.Store(round)
		for round%4 == 0 && woken.Load() < round {
			linger(1)
		}
		dawdle(int(round % 2 * round % 300))
		if got := t.SleepUntil(port.Forever); got != port.WokeCall {
			t.errorf("sleep %d ended by %v, want %v", round, got, port.WokeCall)
			announced.Store(rounds)
			break
		}
		if note != round {
			t.errorf("sleep %d sees note %d", round, note)
		}
		if t.tired(round) {
			announced.Store(rounds)
			break
		}
	}
	waker.Wait()
}

// dawdle takes a time of some ns for each step, so that a wake falls on all points
// of the way into a sleep.
func dawdle(steps int) {
	var x atomic.Int32
	for range steps {
		x.Add(1)
	}
}

// hostWakeSeveral has each goroutine wait until what it gave is taken, so that
// there is often no other wake that could stand in for a lost one.
func hostWakeSeveral(t *hostTry) {
	const each, hands = 2000, 4
	given, taken := new(atomic.Int64), new(atomic.Int64)
	var wakers sync.WaitGroup
	for hand := range hands {
		wakers.Go(func() {
			for i := range each {
				item := given.Add(1)
				t.Wake()
				for taken.Load() < item {
					linger(1)
				}
				dawdle((i * (hand + 1)) % 1024)
			}
		})
	}
	for taken.Load() < each*hands {
		if got := t.SleepUntil(port.Forever); got != port.WokeCall {
			t.errorf("SleepUntil(Forever) ended by %v, want %v", got, port.WokeCall)
			taken.Store(each * hands)
			break
		}
		taken.Store(given.Load())
		if t.tired(taken.Load()) {
			taken.Store(each * hands)
		}
	}
	wakers.Wait()
}
