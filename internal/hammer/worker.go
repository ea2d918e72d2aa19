package hammer

import (
	"context"
	"math/rand/v2"
	"runtime"
)

// A Worker is one goroutine that runs the code. It belongs to that goroutine.
type Worker struct {
	// ID is its number, from 0, and Round that of the current round, from 0.
	ID, Round int
	// Rand draws the same numbers in each run with the same seed.
	Rand *rand.Rand

	ctx   context.Context
	noise *rand.Rand
	yield float64
}

// Noise draws from a stream of its own, so that more or less of it leaves the
// numbers of Rand alone.
const noiseStream = 1 << 63

func (c Config) worker(ctx context.Context, id int) *Worker {
	return &Worker{
		ID:    id,
		Rand:  rand.New(rand.NewPCG(c.Seed, uint64(id))),
		ctx:   ctx,
		noise: rand.New(rand.NewPCG(c.Seed, uint64(id)|noiseStream)),
		yield: c.Noise,
	}
}

// Context ends when another worker failed: code that waits should wait on it too.
func (w *Worker) Context() context.Context { return w.ctx }

// Noise yields the processor, with the chance that the configuration gives.
func (w *Worker) Noise() {
	if w.yield > 0 && w.noise.Float64() < w.yield {
		runtime.Gosched()
	}
}
