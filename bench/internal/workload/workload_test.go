package workload

import (
	"errors"
	"strings"
	"testing"
	"time"

	"gpureactor/port"
	"pgregory.net/rapid"
)

func TestTextsParseAndRoundTrip(t *testing.T) {
	tests := []struct {
		text string
		want Workload
	}{
		{"const:1ms", Workload{Kind: Const, A: time.Millisecond}},
		{"const:1us", Workload{Kind: Const, A: time.Microsecond}},
		{"const:10s", Workload{Kind: Const, A: 10 * time.Second}},
		{"jitter:1ms:0%", Workload{Kind: Jitter, A: time.Millisecond}},
		{"jitter:200us:100%", Workload{Kind: Jitter, A: 200 * time.Microsecond, Percent: 100}},
		{"bimodal:1ms:4ms:20%", Workload{Kind: Bimodal, A: time.Millisecond, B: 4 * time.Millisecond, Percent: 20}},
		{"drift:2ms:1ms:1", Workload{Kind: Drift, A: 2 * time.Millisecond, B: time.Millisecond, Steps: 1}},
		{"drift:1ms:2ms:1000000", Workload{Kind: Drift, A: time.Millisecond, B: 2 * time.Millisecond, Steps: 1e6}},
	}
	for _, test := range tests {
		got, err := Parse(test.text)
		if err != nil || got != test.want {
			t.Errorf("Parse(%q) = %+v, %v, want %+v", test.text, got, err, test.want)
		}
		if got.String() != test.text {
			t.Errorf("%q prints as %q", test.text, got)
		}
	}
}

func TestOtherTextsAreRefusedByName(t *testing.T) {
	tests := []struct{ text, names string }{
		{"", `workload is "": want const:D, jitter:D:P%`},
		{"steady:1ms", `workload is "steady:1ms"`},
		{"Const:1ms", `workload is "Const:1ms"`},
		{"const", `D of workload "const" is ""`},
		{"const:", `is "": want a duration from 1us to 10s`},
		{"const:1", `is "1": want a duration`},
		{"const:-1ms", `is "-1ms"`},
		{"const:999ns", `is "999ns"`},
		{"const:10.1s", `is "10.1s"`},
		{"const:1ms:5%", `end of workload "const:1ms:5%" is "5%": want nothing more`},
		{"jitter:1ms", `P of workload "jitter:1ms" is ""`},
		{"jitter:1ms:5", `is "5": want a whole percentage`},
		{"jitter:1ms:101%", `is "101%"`},
		{"jitter:1ms:-1%", `is "-1%"`},
		{"jitter:1ms:999999999999%", `is "999999999999%"`},
		{"jitter:x:x%", `D of workload`},
		{"bimodal:1ms:4ms", `P of workload`},
		{"bimodal:1ms::5%", `B of workload "bimodal:1ms::5%" is ""`},
		{"drift:1ms:2ms:0", `N of workload "drift:1ms:2ms:0" is "0": want a number of steps from 1 to 1000000`},
		{"drift:1ms:2ms:1000001", `is "1000001"`},
		{"drift:1ms:2ms:5:", `end of workload`},
	}
	for _, test := range tests {
		got, err := Parse(test.text)
		if !errors.Is(err, port.ErrInvalidConfig) || !strings.Contains(err.Error(), test.names) {
			t.Errorf("Parse(%q) = %v, want an error with %q", test.text, err, test.names)
		}
		if got != (Workload{}) {
			t.Errorf("Parse(%q) gave %v beside its error", test.text, got)
		}
	}
}

func anyWorkload() *rapid.Generator[Workload] {
	return rapid.Custom(func(t *rapid.T) Workload {
		duration := rapid.Int64Range(int64(MinDuration), int64(MaxDuration))
		w := Workload{Kind: rapid.SampledFrom([]Kind{Const, Jitter, Bimodal, Drift}).Draw(t, "kind")}
		w.A = time.Duration(duration.Draw(t, "A"))
		if w.Kind == Bimodal || w.Kind == Drift {
			w.B = time.Duration(duration.Draw(t, "B"))
		}
		if w.Kind == Jitter || w.Kind == Bimodal {
			w.Percent = rapid.IntRange(0, 100).Draw(t, "P")
		}
		if w.Kind == Drift {
			w.Steps = rapid.IntRange(1, MaxSteps).Draw(t, "N")
		}
		return w
	})
}

func TestEveryWorkloadRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := anyWorkload().Draw(t, "workload")
		if got, err := Parse(w.String()); err != nil || got != w {
			t.Fatalf("%v reads as %v, %v", w, got, err)
		}
	})
}

func TestPiecesStayInRangeAndRepeatBySeed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := anyWorkload().Draw(t, "workload")
		seed := rapid.Uint64().Draw(t, "seed")
		shortest, longest := w.Range()
		a, b := w.Generate(seed), w.Generate(seed)
		for range 50 {
			d := a.Next()
			if d < shortest || d > longest || d < 0 {
				t.Fatalf("%v gave %v, outside %v to %v", w, d, shortest, longest)
			}
			if other := b.Next(); other != d {
				t.Fatalf("%v gave %v and %v for one seed", w, d, other)
			}
		}
		if m := w.Mean(); m < shortest || m > longest {
			t.Fatalf("the mean of %v is %v, outside %v to %v", w, m, shortest, longest)
		}
	})
}

func TestDriftGoesToTheEndAndBack(t *testing.T) {
	w := Workload{Kind: Drift, A: 1000, B: 2000, Steps: 4}
	g := w.Generate(1)
	want := []time.Duration{1000, 1250, 1500, 1750, 2000, 1750, 1500, 1250, 1000, 1250}
	for i, d := range want {
		if got := g.Next(); got != d {
			t.Errorf("piece %d takes %d, want %d", i, got, d)
		}
	}
}

func TestBimodalTakesBothModes(t *testing.T) {
	w := Workload{Kind: Bimodal, A: 1000, B: 9000, Percent: 25}
	g, long := w.Generate(7), 0
	const pieces = 10_000
	for range pieces {
		if g.Next() == 9000 {
			long++
		}
	}
	if long < pieces/5 || long > pieces*3/10 {
		t.Errorf("%d of %d pieces took B, want about a quarter", long, pieces)
	}
}

func TestNextAllocatesNothing(t *testing.T) {
	for _, text := range []string{"const:1ms", "jitter:1ms:5%", "bimodal:1ms:2ms:5%", "drift:1ms:2ms:9"} {
		w, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		g := w.Generate(1)
		if n := testing.AllocsPerRun(100, func() { g.Next() }); n != 0 {
			t.Errorf("%s: %v allocations a piece", text, n)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("const:1ms")
	f.Add("bimodal:1ms:4ms:20%")
	f.Add("drift:1ms:4ms:20")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := Parse(text)
		if err != nil {
			return
		}
		if again, err := Parse(w.String()); err != nil || again != w {
			t.Fatalf("%q reads as %v, which reads as %v, %v", text, w, again, err)
		}
	})
}
