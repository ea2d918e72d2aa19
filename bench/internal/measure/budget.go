package measure

import (
	"math"
	"time"

	"gpureactor/bench/internal/workload"
)

// A Shape is a cell whose slices are to be planned.
type Shape struct {
	Workload workload.Workload
	Waiters  int
}

// betweenSlices is about what passes between two slices, but for the round that
// does not count: collecting garbage and reading meters.
const betweenSlices = 2 * time.Millisecond

// Slices returns how long the slices of each shape take, so that all of them, of
// all arms and rounds and with the warm-ups, take about total. Long work gets
// longer slices and many waiters shorter ones, as they make more waits in the same
// time; none is so short that a waiter could not go round twice.
func Slices(shapes []Shape, arms, rounds int, total time.Duration) []time.Duration {
	var weights, fixed float64
	for _, s := range shapes {
		// One piece for the round that does not count, one for those under way at
		// the end.
		weights += s.weight()
		fixed += float64(2*s.Workload.Mean() + betweenSlices)
	}
	// The warm-up is half a slice.
	runs := float64(arms) * (float64(rounds) + 0.5)
	unit := max(0, (float64(total)/runs-fixed)/weights)
	all := make([]time.Duration, len(shapes))
	for i, s := range shapes {
		_, longest := s.Workload.Range()
		all[i] = max(time.Duration(unit*s.weight()), 2*longest)
	}
	return all
}

func (s Shape) weight() float64 {
	return math.Sqrt(s.Workload.Mean().Seconds()) / math.Sqrt(math.Sqrt(float64(max(1, s.Waiters))))
}
