package porttest

import (
	"sync/atomic"
	"time"

	"gpureactor/port"
)

func hostParkCases() []HostCase {
	return []HostCase{
		{Name: "park/ready at once", Virtual: true, run: hostParkReady,
			Proves: "A park sees a store that was made before it, even if its bound has passed."},
		{Name: "park/past bound", Virtual: true, run: hostParkPast,
			Proves: "A park whose bound has passed looks at least once and returns."},
		{Name: "park/to its bound", Virtual: true, run: hostParkBound,
			Proves: "A park in which nothing happens returns false, and calling it again until its bound comes to an end."},
		{Name: "park/last word", Virtual: true, run: hostParkLast,
			Proves: "A park returns what ready said last, also when it changes as the bound passes."},
		{Name: "park/reading", Virtual: true, run: hostParkReading,
			Proves: "The reading that a park returns is from during the call, whatever ended it."},
		{Name: "park/store", run: hostParkStore,
			Proves: "A park that watches a line sees a store that another goroutine makes into it, and what was written before the store."},
		{Name: "park/store elsewhere", run: hostParkSpread,
			Proves: "A park without a line sees stores in any of several lines."},
		{Name: "park/wake before", Virtual: true, run: hostParkWakeBefore,
			Proves: "A park takes a wake that was waiting and returns."},
		{Name: "park/wake during", Virtual: true, run: hostParkWakeDuring,
			Proves: "A wake during a park ends it, and not the sleep after it."},
	}
}

func hostParkReady(t *hostTry) {
	line := new(port.Line)
	word := line.Word(port.Slot{})
	for round := uint64(1); round <= 50; round++ {
		word.Store(round)
		ready := func() bool { return word.Load() == round }
		for _, bound := range []port.Time{port.Forever, t.Now(), 0, -1} {
			if !t.park(line, ready, bound) {
				t.errorf("ParkLine until %d does not see a store made before it", bound)
			}
		}
	}
}

func hostParkPast(t *hostTry) {
	for _, bound := range []port.Time{t.Now(), t.Now() - 1, 0, -1} {
		looks := 0
		t.wantPark(func() bool { looks++; return false }, bound, false)
		if looks == 0 {
			t.errorf("ParkLine until %d, which has passed, did not look", bound)
		}
	}
}

func hostParkBound(t *hostTry) {
	for _, length := range []time.Duration{100, 1500, 10_000, 200_000} {
		bound := t.Now().Add(length)
		for t.Now() < bound {
			t.wantPark(never, bound, false)
		}
	}
}

func hostParkLast(t *hostTry) {
	for length := range time.Duration(300) {
		bound := t.Now().Add(length * 100)
		turn := bound.Add(-100) // ready changes close to the bound
		last := false
		got := t.park(nil, func() bool { last = t.Now() >= turn; return last }, bound)
		if got != last {
			t.errorf("ParkLine = %v, but ready said %v last", got, last)
		}
	}
}

func hostParkReading(t *hostTry) {
	for range 50 {
		t.wantPark(always, port.Forever, true)
		t.wantPark(never, 0, false)
		t.wantPark(never, t.Now().Add(30*time.Microsecond), false)
		t.Wake()
		t.wantPark(never, port.Forever, false)
	}
}

// hostParkStore parks in rounds, which two goroutines take by turns. payload is
// not atomic: the store into the line alone publishes it.
func hostParkStore(t *hostTry) {
	const rounds = 2000
	line := new(port.Line)
	word, taken := line.Word(port.Slot{}), new(atomic.Uint64)
	payload := uint64(0)
	wait := t.meanwhile(func() {
		for round := uint64(1); round <= rounds; round++ {
			for taken.Load() < round-1 {
				linger(1)
			}
			payload = round
			word.Store(round)
		}
	})
	for round := uint64(1); round <= rounds; round++ {
		for !t.park(line, func() bool { return word.Load() >= round }, port.Forever) {
			linger(1)
		}
		if payload != round {
			t.errorf("after store %d payload is %d", round, payload)
		}
		taken.Store(round)
		if t.tired(int64(round)) {
			taken.Store(rounds)
			break
		}
	}
	wait()
}

func hostParkSpread(t *hostTry) {
	lines := make([]port.Line, 20)
	for i := range lines {
		word := lines[i].Word(port.Slot{})
		wait := t.meanwhile(func() { word.Store(1) })
		for !t.park(nil, func() bool { return stored(lines) > i }, port.Forever) {
			linger(1)
		}
		wait()
	}
}

// stored counts the lines whose first word is not 0.
func stored(lines []port.Line) (n int) {
	for i := range lines {
		if lines[i].Word(port.Slot{}).Load() != 0 {
			n++
		}
	}
	return n
}

func hostParkWakeBefore(t *hostTry) {
	for range 50 {
		t.Wake()
		t.wantPark(never, port.Forever, false)
		t.wantSleep(t.Now().Add(20*time.Microsecond), port.WokeTime)
	}
}

func hostParkWakeDuring(t *hostTry) {
	for range 50 {
		woken := new(atomic.Bool)
		wait := t.meanwhile(func() { woken.Store(true); t.Wake() })
		for !woken.Load() {
			t.wantPark(never, port.Forever, false)
			linger(1)
		}
		wait()
		// A park that returned for no reason just before the wake left the
		// token to the next call.
		t.SleepUntil(t.Now())
		t.wantSleep(t.Now().Add(20*time.Microsecond), port.WokeTime)
	}
}
