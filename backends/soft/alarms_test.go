package soft

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gpureactor/internal/platform"
	"gpureactor/port"
)

func TestAlarmsComeEarliestFirstAndTiesInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOf(rapid.Int64Range(-3, 5)).Draw(t, "times")
		var heap alarms
		var got []int
		want := make([]int, len(times))
		for i, at := range times {
			want[i] = i
			heap.push(port.Time(at), func() { got = append(got, i) })
		}
		slices.SortStableFunc(want, func(a, b int) int { return int(times[a] - times[b]) })
		for range times {
			if first := port.Time(times[want[len(got)]]); heap.first() != first {
				t.Fatalf("first at %d, want %d", heap.first(), first)
			}
			heap.pop()()
		}
		if !slices.Equal(got, want) || heap.first() != port.Forever {
			t.Fatalf("order %v of %v, want %v", got, times, want)
		}
	})
}

func TestEngineNeverRunsAnAlarmEarlyAndLosesNone(t *testing.T) {
	for _, tail := range []time.Duration{0, 50 * us} {
		clock := platform.NewClock()
		e := startEngine(clock, tail)
		const n = 200
		ran := make(chan time.Duration, n)
		for i := range n {
			at := clock.Now().Add(time.Duration(i%17) * 100 * us)
			e.At(at, func() { ran <- clock.Now().Sub(at) })
		}
		for range n {
			if late := <-ran; late < 0 {
				t.Errorf("tail %v: an alarm ran %v early", tail, -late)
			}
		}
		e.At(port.Forever, func() { t.Error("an alarm for ever ran") })
		e.At(clock.Now().Add(time.Hour), func() { t.Error("an alarm ran an hour early") })
		e.close()
		e.At(0, func() { t.Error("an alarm ran after close") })
	}
}

func TestEngineServesAnEarlierAlarmThanTheOneItSleepsFor(t *testing.T) {
	clock := platform.NewClock()
	e := startEngine(clock, 0)
	defer e.close()
	e.At(clock.Now().Add(time.Hour), func() { t.Error("an alarm ran an hour early") })
	for range 50 {
		ran := make(chan struct{})
		e.At(clock.Now().Add(10*us), func() { close(ran) })
		<-ran
	}
}

func TestQueueKeepsOrderAcrossGrowth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q queue
		var want []uint64
		next := uint64(0)
		for range rapid.IntRange(0, 100).Draw(t, "steps") {
			switch step := rapid.IntRange(0, 4).Draw(t, "step"); {
			case step == 0 && len(want) > 0:
				q.pop()
				want = want[1:]
			case step == 1 && len(want) > 0:
				q.cut()
				want = want[:len(want)-1]
			default:
				q.push(op{value: next})
				want = append(want, next)
				next++
			}
			if got := q.values(); !slices.Equal(got, want) {
				t.Fatalf("queue %v, want %v", got, want)
			}
		}
	})
}

func (q *queue) values() []uint64 {
	var all []uint64
	for i := range q.len() {
		all = append(all, q.at(i).value)
	}
	return all
}
