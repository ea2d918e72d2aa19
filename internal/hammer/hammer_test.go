package hammer

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gpureactor/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Main(m) }

func TestEveryWorkerRunsEveryRound(t *testing.T) {
	c := Config{Goroutines: 5, Rounds: 40, Noise: 0.5, Stall: time.Minute}
	var rounds [5][40]atomic.Int32
	if err := c.run(func(w *Worker) error {
		rounds[w.ID][w.Round].Add(1)
		w.Noise()
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for id := range rounds {
		for round := range rounds[id] {
			if n := rounds[id][round].Load(); n != 1 {
				t.Errorf("worker %d ran round %d %d times", id, round, n)
			}
		}
	}
}

func TestRunCallsTheCode(t *testing.T) {
	var calls atomic.Int64
	Run(t, Config{Goroutines: 2, Rounds: 10}, func(*Worker) error {
		calls.Add(1)
		return nil
	})
	if calls.Load() == 0 {
		t.Error("the code did not run")
	}
}

// draws returns what each worker draws in a run.
func draws(t *testing.T, c Config) [][]uint64 {
	t.Helper()
	all := make([][]uint64, c.Goroutines)
	if err := c.run(func(w *Worker) error {
		w.Noise()
		all[w.ID] = append(all[w.ID], w.Rand.Uint64())
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestNumbersDependOnSeedAndWorkerAlone(t *testing.T) {
	quiet := Config{Goroutines: 3, Rounds: 20, Seed: 7, Stall: time.Minute}
	noisy, other := quiet, quiet
	noisy.Noise = 1
	other.Seed = 8
	base := draws(t, quiet)
	if again := draws(t, noisy); !slices.EqualFunc(base, again, slices.Equal) {
		t.Error("the same seed drew other numbers")
	}
	if slices.Equal(base[0], base[1]) {
		t.Error("two workers drew the same numbers")
	}
	if next := draws(t, other); slices.Equal(base[0], next[0]) {
		t.Error("two seeds drew the same numbers")
	}
}

func TestFirstErrorStopsTheOthers(t *testing.T) {
	boom := errors.New("boom")
	c := Config{Goroutines: 4, Rounds: math.MaxInt32, Stall: time.Minute}
	err := c.run(func(w *Worker) error {
		if w.ID == 2 && w.Round == 3 {
			return boom
		}
		if w.ID == 1 {
			<-w.Context().Done()
			return errors.New("second")
		}
		return nil
	})
	if !errors.Is(err, boom) || err.Error() != "worker 2, round 3: boom" {
		t.Errorf("error %v", err)
	}
}

func TestCodeThatEndsItsGoroutineIsAnError(t *testing.T) {
	c := Config{Goroutines: 2, Rounds: 10, Stall: time.Minute}
	err := c.run(func(w *Worker) error {
		if w.ID == 1 && w.Round == 4 {
			runtime.Goexit()
		}
		return nil
	})
	if err == nil || err.Error() != "worker 1, round 4: the code ended its goroutine" {
		t.Errorf("error %v", err)
	}
}

func stuckForTest(release chan struct{}) { <-release }

func TestHangIsFoundByProgressAndShowsStacks(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	c := Config{Goroutines: 2, Rounds: 10, Stall: time.Millisecond}
	err := c.run(func(w *Worker) error {
		if w.ID == 0 || w.Round == 5 {
			stuckForTest(release)
		}
		return nil
	})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"no round ended for 1ms after ", "stuckForTest"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
}

func TestHangAfterAnErrorKeepsTheError(t *testing.T) {
	boom := errors.New("boom")
	m := Config{}.campaign(nil)
	m.fail(boom)
	if err := m.hang(0); !errors.Is(err, boom) || !strings.Contains(err.Error(), "did not stop") {
		t.Errorf("error %v", err)
	}
}

func TestRoundsFollowShortAndEnvironment(t *testing.T) {
	for _, test := range []struct {
		rounds int
		short  bool
		factor string
		want   int
	}{
		{0, false, "", 1000},
		{50, false, "", 50},
		{50, true, "", 5},
		{5, true, "", 1},
		{50, false, "2.5", 125},
		{50, true, "2", 10},
		{1, false, "0.01", 1},
		{math.MaxInt32, false, "1e300", math.MaxInt32},
	} {
		c, err := Config{Rounds: test.rounds}.resolve(test.short, test.factor)
		if err != nil || c.Rounds != test.want {
			t.Errorf("%+v: %d rounds, error %v", test, c.Rounds, err)
		}
	}
}

func TestBadConfigurationIsRefusedByName(t *testing.T) {
	for _, test := range []struct {
		config Config
		factor string
		want   string
	}{
		{Config{Goroutines: -1}, "", "Goroutines is -1: want 1 to 10000, or 0 for 8"},
		{Config{Goroutines: 10001}, "", "Goroutines is 10001: want 1 to 10000, or 0 for 8"},
		{Config{Rounds: -3}, "", "Rounds is -3: want 1 or more, or 0 for 1000"},
		{Config{Noise: -0.1}, "", "Noise is -0.1: want 0 to 1"},
		{Config{Noise: 1.5}, "", "Noise is 1.5: want 0 to 1"},
		{Config{Noise: math.NaN()}, "", "Noise is NaN: want 0 to 1"},
		{Config{Stall: -time.Second}, "", "Stall is -1s: want a positive time, or 0 for two minutes"},
		{Config{}, "0", "environment variable HAMMER is 0: want a positive number"},
		{Config{}, "NaN", "environment variable HAMMER is NaN: want a positive number"},
		{Config{}, "Inf", "environment variable HAMMER is Inf: want a positive number"},
		{Config{}, "lots", "environment variable HAMMER is lots: want a positive number"},
	} {
		if _, err := test.config.resolve(false, test.factor); err == nil || err.Error() != test.want {
			t.Errorf("%+v with %q: error %v, want %s", test.config, test.factor, err, test.want)
		}
	}
}

// recorder is a test that keeps its failure to itself.
type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Helper() {}
func (r *recorder) Fatalf(format string, args ...any) {
	r.failure = format
	runtime.Goexit()
}

func TestRunFailsItsTest(t *testing.T) {
	r := &recorder{TB: t}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		Run(r, Config{Goroutines: 1, Rounds: 1}, func(*Worker) error { return errors.New("boom") })
	}()
	<-ended
	if r.failure == "" {
		t.Error("the test did not fail")
	}
}
