package deadline_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"gpureactor/deadline"
	"gpureactor/internal/testmain"
	"gpureactor/port"

	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { testmain.Main(m) }

const (
	us = time.Microsecond
	ms = time.Millisecond
)

var reference = deadline.Rule{Margin: 150 * us, MinSleep: 20 * us, MaxSleep: 50 * ms, Window: 8}

func observe(e *deadline.Estimate, r deadline.Rule, residuals ...time.Duration) {
	for _, d := range residuals {
		e.Observe(r, deadline.Exact(d))
	}
}

func repeat(d time.Duration, n int) []time.Duration {
	all := make([]time.Duration, n)
	for i := range all {
		all[i] = d
	}
	return all
}

func TestWorkedNumbersOfTheReference(t *testing.T) {
	for _, c := range []struct {
		name      string
		residuals []time.Duration
		sleep     time.Duration // 0: none
	}{
		{"a cold point does not sleep", nil, 0},
		{"the minimum less the margin", []time.Duration{ms, 900 * us, 1100 * us}, 750 * us},
		{"the old minimum leaves the window", append([]time.Duration{ms, 900 * us, 1100 * us}, repeat(2*ms, 8)...), 1850 * us},
		{"seven more leave one of the old", append([]time.Duration{900 * us, ms}, repeat(2*ms, 7)...), 850 * us},
		{"10 us is under the minimum sleep", []time.Duration{160 * us}, 0},
		{"20 us is not shorter than the minimum", []time.Duration{170 * us}, 20 * us},
		{"one ns less is", []time.Duration{170*us - 1}, 0},
		{"shorter than the margin", []time.Duration{100 * us}, 0},
		{"as long as the margin", []time.Duration{150 * us}, 0},
		{"the largest residual is capped", []time.Duration{math.MaxInt64}, 50 * ms},
		{"a residual of 0 never sleeps", []time.Duration{0, ms}, 0},
		{"a negative one counts as 0", []time.Duration{-ms, ms}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var e deadline.Estimate
			observe(&e, reference, c.residuals...)
			if d, ok := e.Sleep(reference); d != c.sleep || ok != (c.sleep > 0) {
				t.Fatalf("sleep %v, %v, want %v", d, ok, c.sleep)
			}
		})
	}
}

func TestLateWakeRecordsHalfOfTheLesser(t *testing.T) {
	for _, c := range []struct {
		name    string
		samples []time.Duration
		woke    time.Duration
		want    time.Duration
	}{
		{"with no prediction, half of the wake", nil, ms, 500 * us},
		{"a wake after the prediction", []time.Duration{ms}, 3 * ms, 500 * us},
		{"a wake before it", []time.Duration{ms}, 800 * us, 400 * us},
		{"the latest wake there is", nil, math.MaxInt64, math.MaxInt64 / 2},
		{"a wake at once", []time.Duration{ms}, 0, 0},
	} {
		var e deadline.Estimate
		observe(&e, reference, c.samples...)
		e.Observe(reference, deadline.Late(c.woke))
		if d, _ := e.Predicted(); d != c.want {
			t.Errorf("%s: predicted %v, want %v", c.name, d, c.want)
		}
	}
}

func TestRunOfLateWakesLowersGeometrically(t *testing.T) {
	var e deadline.Estimate
	observe(&e, reference, 16*ms)
	for want := 8 * ms; want >= ms; want /= 2 {
		e.Observe(reference, deadline.Late(time.Hour))
		if d, _ := e.Predicted(); d != want {
			t.Fatalf("predicted %v, want %v", d, want)
		}
	}
}

func TestWindowMayChangeBetweenObservations(t *testing.T) {
	var e deadline.Estimate
	wide, narrow := reference, reference
	wide.Window, narrow.Window = 16, 2
	observe(&e, wide, 1*ms, 2*ms, 3*ms, 4*ms)
	observe(&e, narrow, 5*ms)
	if d, _ := e.Predicted(); d != 4*ms {
		t.Fatalf("predicted %v, want the minimum of the last two", d)
	}
	observe(&e, wide, 6*ms)
	if d, _ := e.Predicted(); d != 4*ms {
		t.Fatalf("predicted %v: what left the window came back", d)
	}
}

// A rule is validated before it is used. One that was not keeps a sample all the
// same, and never more than there is room for.
func TestWindowOutOfBoundsIsHeldAtTheNearestBound(t *testing.T) {
	for window, kept := range map[uint8]int{0: 1, deadline.MaxWindow + 1: deadline.MaxWindow, 255: deadline.MaxWindow} {
		odd, full := reference, reference
		odd.Window, full.Window = window, uint8(kept)
		var e, want deadline.Estimate
		for i := range 3 * deadline.MaxWindow {
			observe(&e, odd, time.Duration(i)*ms)
			observe(&want, full, time.Duration(i)*ms)
		}
		if e != want {
			t.Errorf("window %d: %+v, want that of %d", window, e, kept)
		}
	}
}

func TestEstimatesWithTheSameSamplesAreEqual(t *testing.T) {
	narrow := reference
	narrow.Window = 2
	var long, short deadline.Estimate
	observe(&long, reference, 1*ms, 2*ms, 3*ms, 4*ms)
	observe(&long, narrow, 5*ms)
	observe(&short, reference, 4*ms, 5*ms)
	if long != short {
		t.Errorf("%+v and %+v hold the same two samples", long, short)
	}
	held := long
	if observe(&long, reference, 6*ms); held == long || held != short {
		t.Error("a copy shares the samples of its original")
	}
}

func TestRuleNamesTheFieldThatIsOutOfBounds(t *testing.T) {
	for _, c := range []struct {
		field  string
		change func(*deadline.Rule)
	}{
		{"Margin", func(r *deadline.Rule) { r.Margin = -1 }},
		{"MinSleep", func(r *deadline.Rule) { r.MinSleep = -1 }},
		{"MaxSleep", func(r *deadline.Rule) { r.MaxSleep = r.MinSleep - 1 }},
		{"Window", func(r *deadline.Rule) { r.Window = 0 }},
		{"Window", func(r *deadline.Rule) { r.Window = deadline.MaxWindow + 1 }},
	} {
		r := reference
		c.change(&r)
		var e *port.Error
		if err := r.Validate(); !errors.As(err, &e) || e.Code != port.InvalidConfig || e.Args[0] != "deadline.Rule."+c.field {
			t.Errorf("%s: %v", c.field, err)
		}
	}
	if err := reference.Validate(); err != nil {
		t.Error(err)
	}
}

// model is the reference rule over a plain slice.
type model struct{ samples []time.Duration }

func (m *model) predicted() (time.Duration, bool) {
	if len(m.samples) == 0 {
		return 0, false
	}
	least := time.Duration(math.MaxInt64)
	for _, s := range m.samples {
		least = min(least, s)
	}
	return least, true
}

func (m *model) observe(window int, value time.Duration, late bool) {
	value = max(value, 0)
	if p, ok := m.predicted(); late && ok {
		value = min(value, p)
	}
	if late {
		value /= 2
	}
	m.samples = append(m.samples, value)
	m.samples = m.samples[max(0, len(m.samples)-window):]
}

// The estimate agrees with the model, and the laws hold: never negative, never
// over the cap, and a late wake never raises the prediction.
func TestEstimateObeysItsLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := deadline.Rule{
			Margin:   time.Duration(rapid.Int64Min(0).Draw(t, "margin")),
			MinSleep: time.Duration(rapid.Int64Min(0).Draw(t, "min")),
			Window:   rapid.Uint8Range(1, deadline.MaxWindow).Draw(t, "window"),
		}
		r.MaxSleep = time.Duration(rapid.Int64Min(int64(r.MinSleep)).Draw(t, "max"))
		if err := r.Validate(); err != nil {
			t.Fatal(err)
		}
		var e deadline.Estimate
		var m model
		for range rapid.IntRange(0, 40).Draw(t, "waits") {
			if rapid.IntRange(0, 7).Draw(t, "another window") == 0 {
				r.Window = rapid.Uint8Range(1, deadline.MaxWindow).Draw(t, "window")
			}
			value := time.Duration(rapid.Int64().Draw(t, "value"))
			late := rapid.Bool().Draw(t, "late")
			before, had := e.Predicted()
			o := deadline.Exact(value)
			if late {
				o = deadline.Late(value)
			}
			e.Observe(r, o)
			m.observe(int(r.Window), value, late)
			got, ok := e.Predicted()
			if want, _ := m.predicted(); !ok || got != want || got < 0 {
				t.Fatalf("predicted %v, the model says %v", got, want)
			}
			if late && had && got > before {
				t.Fatalf("a late wake raised the prediction from %v to %v", before, got)
			}
			if s, ok := e.Sleep(r); ok && (s <= 0 || s > r.MaxSleep || s > got || s < r.MinSleep) || !ok && s != 0 {
				t.Fatalf("sleep %v, %v of a prediction of %v under %+v", s, ok, got, r)
			}
		}
	})
}

func TestTableForgetsTheLeastRecentlyUsed(t *testing.T) {
	table, err := deadline.NewTable(3)
	if err != nil {
		t.Fatal(err)
	}
	a := table.Point("a")
	a.Observe(reference, deadline.Exact(ms))
	table.Point("b")
	table.Point("c")
	table.Point("a")
	if p, ok := table.Lookup("b"); !ok || p.Key() != "b" {
		t.Fatal("b is gone early")
	}
	table.Point("d") // b is the oldest: a lookup is no use
	var keys []string
	for _, p := range table.Points() {
		keys = append(keys, p.Key())
	}
	if fmt.Sprint(keys) != "[d a c]" || table.Len() != 3 || table.Evicted() != 1 {
		t.Fatalf("%v, %d held, %d evicted", keys, table.Len(), table.Evicted())
	}
	if table.Point("a") != a {
		t.Fatal("a is another point now")
	}
	table.Point("e")
	table.Point("f")
	table.Point("g")
	if d, ok := a.Predicted(); !ok || d != ms {
		t.Fatal("a forgotten point lost its samples")
	}
	if _, ok := table.Point("a").Predicted(); ok {
		t.Fatal("a point made again has samples")
	}
}

// The table agrees with a plain slice, the most recently used name first.
func TestTableAgreesWithASlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.IntRange(1, 5).Draw(t, "capacity")
		table, err := deadline.NewTable(capacity)
		if err != nil {
			t.Fatal(err)
		}
		var model []*deadline.Point
		evicted := uint64(0)
		for range rapid.IntRange(0, 60).Draw(t, "calls") {
			key := rapid.SampledFrom([]string{"", "a", "b", "c", "d", "e", "f", "g"}).Draw(t, "key")
			at := slices.IndexFunc(model, func(p *deadline.Point) bool { return p.Key() == key })
			if rapid.Bool().Draw(t, "only looks") {
				if p, ok := table.Lookup(key); ok != (at >= 0) || ok && p != model[at] || !ok && p != nil {
					t.Fatalf("lookup of %q: %v, %v", key, p, ok)
				}
				continue
			}
			p := table.Point(key)
			if at >= 0 {
				if p != model[at] {
					t.Fatalf("%q is another point now", key)
				}
				model = slices.Delete(model, at, at+1)
			}
			if model = slices.Insert(model, 0, p); len(model) > capacity {
				model, evicted = model[:capacity], evicted+1
			}
		}
		if !slices.Equal(table.Points(), model) || table.Len() != len(model) || table.Evicted() != evicted {
			t.Fatalf("%d points, %d evicted; the model has %d and %d", table.Len(), table.Evicted(), len(model), evicted)
		}
	})
}

func TestTableRefusesACapacityOutOfBounds(t *testing.T) {
	for _, n := range []int{-1, deadline.MaxCapacity + 1, math.MinInt} {
		if _, err := deadline.NewTable(n); !errors.Is(err, port.ErrInvalidConfig) {
			t.Errorf("%d: %v", n, err)
		}
	}
	table, err := deadline.NewTable(0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range deadline.DefaultCapacity + 5 {
		table.Point(fmt.Sprint(i))
	}
	if table.Len() != deadline.DefaultCapacity || table.Evicted() != 5 {
		t.Fatalf("%d held, %d evicted", table.Len(), table.Evicted())
	}
}

func TestTableMayBeUsedByManyGoroutines(t *testing.T) {
	table, err := deadline.NewTable(8)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 2000 {
				p := table.Point(fmt.Sprint((g + i) % 12))
				p.Observe(reference, deadline.Exact(time.Duration(i)*us))
				p.Sleep(reference)
			}
		})
	}
	all.Wait()
	if table.Len() != 8 {
		t.Fatalf("%d points held", table.Len())
	}
}

func TestHotCallsAllocateNothing(t *testing.T) {
	table, err := deadline.NewTable(0)
	if err != nil {
		t.Fatal(err)
	}
	table.Point("decode/logits")
	if n := testing.AllocsPerRun(100, func() {
		p := table.Point("decode/logits")
		p.Sleep(reference)
		p.Observe(reference, deadline.Exact(ms))
		p.Observe(reference, deadline.Late(ms))
	}); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}

func BenchmarkTablePoint(b *testing.B) {
	table, _ := deadline.NewTable(0)
	for i := range 100 {
		table.Point(fmt.Sprint("point/", i))
	}
	b.ReportAllocs()
	for b.Loop() {
		table.Point("point/7")
	}
}

func BenchmarkPointSleepAndObserve(b *testing.B) {
	table, _ := deadline.NewTable(0)
	p := table.Point("p")
	b.ReportAllocs()
	for b.Loop() {
		p.Sleep(reference)
		p.Observe(reference, deadline.Exact(ms))
	}
}

func ExampleEstimate() {
	rule := deadline.Rule{Margin: 150 * us, MinSleep: 20 * us, MaxSleep: 50 * ms, Window: 8}
	var e deadline.Estimate
	for _, residual := range []time.Duration{1 * ms, 900 * us, 1100 * us} {
		e.Observe(rule, deadline.Exact(residual))
	}
	fmt.Println(e.Sleep(rule))
	// Output: 750µs true
}
