package fill_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"gpureactor/fill"
	"gpureactor/port"
	"gpureactor/reactor"
)

func (g *rig) noted(name string, yields int) func(*fill.Task) error {
	return func(t *fill.Task) error {
		for i := range yields {
			g.note("%s%d", name, i)
			if err := t.Yield(); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestReadyTasksRunInTurn(t *testing.T) {
	g := newRig(t, flagPlan, fill.Config{})
	for _, name := range []string{"a", "b", "c"} {
		g.e.Go(name, g.noted(name, 2))
	}
	g.ok()
	g.same("0s a0", "0s b0", "0s c0", "0s a1", "0s b1", "0s c1")
}

// Work of the latency level goes first; after InRow slices of it one of the
// background runs.
func TestBackgroundRunsLastButRuns(t *testing.T) {
	g := newRig(t, flagPlan, fill.Config{InRow: 3})
	g.e.GoBackground("b", g.noted("b", 2))
	g.e.Go("l", g.noted("l", 6))
	g.ok()
	g.same("0s l0", "0s l1", "0s l2", "0s b0", "0s l3", "0s l4", "0s l5", "0s b1")
}

// A completion never waits for bulk work longer than the slice that runs, however
// much bulk work is ready.
func TestLatencyWaitsForOneSliceOfBackground(t *testing.T) {
	g := newRig(t, flagPlan, fill.Config{})
	s := g.stream()
	for range 20 {
		g.e.GoBackground("bulk", func(t *fill.Task) error {
			for range 100 {
				g.clock.Advance(70 * us)
				t.Yield()
			}
			return nil
		})
	}
	g.e.Go("decode", func(t *fill.Task) error {
		for range 50 {
			due := t.Now().Add(ms)
			if _, err := t.Await(g.after(s, ms), reactor.Options{}); err != nil {
				return err
			}
			if late := t.Now().Sub(due); late >= 70*us {
				g.t.Errorf("resumed %v after its store", late)
			}
		}
		return nil
	})
	g.ok()
}

func TestSetLevel(t *testing.T) {
	g := newRig(t, flagPlan, fill.Config{})
	g.e.Go("a", func(t *fill.Task) error {
		if err := t.SetLevel(7); !errors.Is(err, port.ErrInvalidConfig) || t.Level() != fill.Latency {
			g.t.Errorf("level 7: %v", err)
		}
		if err := t.SetLevel(fill.Background); err != nil {
			return err
		}
		g.note("%s", t.Level())
		t.Yield()
		g.note("a")
		return nil
	})
	g.e.Go("b", g.noted("b", 2))
	g.ok()
	g.same("0s background", "0s b0", "0s b1", "0s a")
}

// A task that keeps the thread is counted each time, named, and warned of once.
func TestOverrunIsNamed(t *testing.T) {
	var out strings.Builder
	g := newRig(t, flagPlan, fill.Config{Slice: 50 * us, Logger: slog.New(slog.NewTextHandler(&out, nil))})
	g.e.Go("hog", func(t *fill.Task) error {
		for i := range 4 {
			g.clock.Advance(time.Duration(i) * 30 * us)
			t.Yield()
		}
		return nil
	})
	stats := g.ok()
	if stats.Overruns != 2 || len(stats.Overran) != 1 || stats.Overran[0] != (fill.Overrun{Name: "hog", Count: 2, Longest: 90 * us}) {
		t.Errorf("counted %+v", stats)
	}
	if n := strings.Count(out.String(), "task=hog"); n != 1 {
		t.Errorf("%d warnings:\n%s", n, out.String())
	}
}

// A long slice does not hide how much of it is left.
func TestSliceLeft(t *testing.T) {
	g := newRig(t, flagPlan, fill.Config{Slice: 50 * us})
	g.e.Go("a", func(t *fill.Task) error {
		for _, want := range []time.Duration{50 * us, 20 * us, -10 * us} {
			if left := t.SliceLeft(); left != want {
				g.t.Errorf("%v left, want %v", left, want)
			}
			g.clock.Advance(30 * us)
		}
		t.Yield()
		if left := t.SliceLeft(); left != 50*us {
			g.t.Errorf("%v left of a new slice", left)
		}
		return nil
	})
	g.ok()
}
