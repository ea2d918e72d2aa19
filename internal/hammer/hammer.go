// Package hammer runs one piece of test code many times on many goroutines at
// once, for the race detector to watch:
//
//	hammer.Run(t, hammer.Config{Goroutines: 16, Rounds: 1000}, func(w *hammer.Worker) error {
//		switch w.Rand.IntN(2) { ... }
//		w.Noise()
//		return nil
//	})
//
// What a worker draws depends on the seed and the worker alone; the schedule does
// not repeat. Rounds shrink tenfold under -short, and the HAMMER variable of the
// environment multiplies them, so that a night can be spent on one test.
package hammer

import (
	"math"
	"os"
	"strconv"
	"testing"
	"time"
)

// Config says how hard to hammer. The zero value works.
type Config struct {
	// Goroutines is the number of workers, 1 to 10000; 0 means 8.
	Goroutines int
	// Rounds is how often each worker runs the code, 1 or more; 0 means 1000.
	Rounds int
	// Seed selects the random numbers; every value is good.
	Seed uint64
	// Noise is the chance, 0 to 1, that a worker yields its processor before a
	// round and at each call of [Worker.Noise].
	Noise float64
	// Stall is the time after which a test in which no round ended counts as
	// hung; 0 means two minutes. It is no bound on the whole.
	Stall time.Duration
}

// Run runs code c.Rounds times on each of c.Goroutines goroutines, which start
// together, and returns when all are done. The first error fails the test; the
// workers stop before their next round. When no round ends for c.Stall, the test
// fails with the stacks of all goroutines, and the workers are left behind. Only
// the goroutine of the test may call it.
func Run(t testing.TB, c Config, code func(w *Worker) error) {
	t.Helper()
	c, err := c.resolve(testing.Short(), os.Getenv("HAMMER"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.run(code); err != nil {
		t.Fatalf("hammer, seed %d: %v", c.Seed, err)
	}
}

// resolve fills in defaults, checks bounds and scales the rounds.
func (c Config) resolve(short bool, factor string) (Config, error) {
	c.Goroutines = orDefault(c.Goroutines, 8)
	c.Rounds = orDefault(c.Rounds, 1000)
	c.Stall = orDefault(c.Stall, 2*time.Minute)
	switch {
	case c.Goroutines < 1 || c.Goroutines > 10000:
		return c, invalid("Goroutines", c.Goroutines, "1 to 10000, or 0 for 8")
	case c.Rounds < 1:
		return c, invalid("Rounds", c.Rounds, "1 or more, or 0 for 1000")
	case !(c.Noise >= 0 && c.Noise <= 1):
		return c, invalid("Noise", c.Noise, "0 to 1")
	case c.Stall < 0:
		return c, invalid("Stall", c.Stall, "a positive time, or 0 for two minutes")
	}
	scale, err := scaleOf(short, factor)
	c.Rounds = scaled(c.Rounds, scale)
	return c, err
}

// scaleOf returns what the rounds are multiplied by.
func scaleOf(short bool, factor string) (float64, error) {
	scale := 1.0
	if factor != "" {
		f, err := strconv.ParseFloat(factor, 64)
		if err != nil || !(f > 0) || math.IsInf(f, 1) {
			return 0, invalid("environment variable HAMMER", factor, "a positive number")
		}
		scale = f
	}
	if short {
		scale /= 10
	}
	return scale, nil
}

func scaled(rounds int, scale float64) int {
	return int(min(max(float64(rounds)*scale, 1), math.MaxInt32))
}

func orDefault[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}
