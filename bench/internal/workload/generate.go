package workload

import (
	"math/rand/v2"
	"time"
)

// A Generator yields the pieces of one waiter. It is used by one goroutine at a
// time and allocates nothing.
type Generator struct {
	workload Workload
	random   *rand.Rand
	step     int // of drift: 0 to 2*Steps-1, there and back
}

// Generate returns a generator. Equal workloads and seeds give equal sequences,
// on every machine.
func (w Workload) Generate(seed uint64) *Generator {
	return &Generator{workload: w, random: rand.New(rand.NewPCG(seed, seed^0x9e3779b97f4a7c15))}
}

// Next returns how long the next piece takes.
func (g *Generator) Next() time.Duration {
	w := &g.workload
	switch w.Kind {
	case Jitter:
		spread := int64(w.spread())
		return w.A + time.Duration(g.random.Int64N(2*spread+1)-spread)
	case Bimodal:
		if g.random.IntN(100) < w.Percent {
			return w.B
		}
	case Drift:
		return g.drift()
	}
	return w.A
}

func (g *Generator) drift() time.Duration {
	w := &g.workload
	at := g.step
	if at > w.Steps {
		at = 2*w.Steps - at
	}
	g.step = (g.step + 1) % (2 * w.Steps)
	return w.A + time.Duration(int64(w.B-w.A)/int64(w.Steps)*int64(at)) +
		time.Duration(int64(w.B-w.A)%int64(w.Steps)*int64(at)/int64(w.Steps))
}
