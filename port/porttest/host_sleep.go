package porttest

import (
	"math"
	"math/rand/v2"
	"time"

	"gpureactor/port"
)

func hostSleepCases() []HostCase {
	return []HostCase{
		{Name: "sleep/never early", Virtual: true, run: hostNeverEarly,
			Proves: "A sleep that ends by time ends at or after that time on the host's own clock, whatever its length."},
		{Name: "sleep/zero", Virtual: true, run: hostSleepOf(0),
			Proves: "A sleep until now ends by time."},
		{Name: "sleep/sub-microsecond", Virtual: true, run: hostSleepOf(1, 10, 100, 500, 999),
			Proves: "A sleep of a part of a microsecond ends by time and not early."},
		{Name: "sleep/1 us", Virtual: true, run: hostSleepOf(time.Microsecond),
			Proves: "A sleep of one microsecond ends by time and not early."},
		{Name: "sleep/past", Virtual: true, run: hostSleepOf(-1, -time.Microsecond, -time.Hour),
			Proves: "A sleep until a time that has passed returns by time."},
		{Name: "sleep/negative", Virtual: true, run: hostSleepNegative,
			Proves: "A sleep until a negative time, down to the smallest, returns by time."},
		{Name: "sleep/24.8 days", run: hostSleepLong,
			Proves: "A sleep around 2^31 ms, where a 32-bit count of milliseconds wraps, is not over at once and a wake ends it."},
		{Name: "sleep/forever", Virtual: true, run: hostSleepForever,
			Proves: "A sleep until Forever, the largest int64, is ended by a wake."},
		{Name: "sleep/almost forever", run: hostSleepAlmostForever,
			Proves: "A sleep until times next to the largest int64 does not wrap round and a wake ends it."},
		{Name: "sleep/any goroutine", Virtual: true, run: hostSleepAnywhere,
			Proves: "Goroutines may take turns at sleeping on one host."},
	}
}

// hostNeverEarly draws lengths evenly over their magnitudes, from 1 ns to 4 ms.
func hostNeverEarly(t *hostTry) {
	source := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		length := time.Duration(math.Exp2(source.Float64() * 22))
		t.wantSleep(t.Now().Add(length), port.WokeTime)
	}
}

func hostSleepOf(lengths ...time.Duration) func(*hostTry) {
	return func(t *hostTry) {
		for _, length := range lengths {
			for range 20 {
				t.wantSleep(t.Now().Add(length), port.WokeTime)
			}
		}
	}
}

func hostSleepNegative(t *hostTry) {
	for _, at := range []port.Time{-1, -2, -1e9, math.MinInt64 + 1, math.MinInt64} {
		t.wantSleep(at, port.WokeTime)
	}
}

func hostSleepLong(t *hostTry) {
	const wrap = (1 << 31) * time.Millisecond
	for _, length := range []time.Duration{wrap - 1, wrap, wrap + 1, 2*wrap - 1, 2 * wrap, 2*wrap + time.Millisecond} {
		t.wokenSleep(t.Now().Add(length))
	}
}

func hostSleepForever(t *hostTry) {
	for range 20 {
		t.wokenSleep(port.Forever)
	}
}

func hostSleepAlmostForever(t *hostTry) {
	for _, at := range []port.Time{port.Forever - 1, port.Forever - 1e6, port.Forever - 1e9, port.Forever / 2} {
		t.wokenSleep(at)
	}
}

// wokenSleep sleeps until at, which a wake from another goroutine has to end.
func (t *hostTry) wokenSleep(at port.Time) {
	wait := t.meanwhile(t.Wake)
	if got := t.SleepUntil(at); got != port.WokeCall {
		t.fault(2, "SleepUntil(%d) ended by %v at %d, want %v", at, got, t.Now(), port.WokeCall)
	}
	wait()
}

func hostSleepAnywhere(t *hostTry) {
	for range 50 {
		done := make(chan struct{})
		go func() {
			defer close(done)
			t.wantSleep(t.Now().Add(3*time.Microsecond), port.WokeTime)
			t.wokenSleep(port.Forever)
		}()
		<-done
	}
}
