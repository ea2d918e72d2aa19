// Package workload says how long each piece of device work of a benchmark takes.
//
// A workload is written as a text and generated per waiter from a seed:
//
//	w, err := workload.Parse("bimodal:1ms:4ms:20%")
//	if err != nil {
//		return err
//	}
//	g := w.Generate(seed)
//	d := g.Next() // 1ms, or 4ms in one case of five
//
// The forms are those of [Forms]. Durations are Go durations.
package workload

import "time"

// Bounds of what a text may say.
const (
	// MinDuration and MaxDuration bound each duration of a text.
	MinDuration = time.Microsecond
	MaxDuration = 10 * time.Second
	// MaxSteps bounds N of drift.
	MaxSteps = 1_000_000
)

// Kind names a form of workload.
type Kind uint8

// The kinds.
const (
	// Const takes A each time.
	Const Kind = iota + 1
	// Jitter takes A plus or minus up to Percent of it, evenly spread.
	Jitter
	// Bimodal takes B in Percent of the cases and A in the others.
	Bimodal
	// Drift moves from A to B in Steps equal steps, and back again, for ever.
	Drift
)

// A Workload is a parsed text: immutable and comparable. The zero Workload is not
// valid; [Parse] makes valid ones.
type Workload struct {
	Kind    Kind
	A, B    time.Duration
	Percent int
	Steps   int
}

// A Form describes one kind for people.
type Form struct{ Text, Meaning string }

// Forms returns the forms that [Parse] takes.
func Forms() []Form {
	return []Form{
		{"const:D", "D each time"},
		{"jitter:D:P%", "D plus or minus up to P percent, evenly spread"},
		{"bimodal:A:B:P%", "B in P percent of the cases, else A"},
		{"drift:A:B:N", "from A to B in N steps, and back, for ever"},
	}
}

// Mean returns the average over many pieces.
func (w Workload) Mean() time.Duration {
	switch w.Kind {
	case Bimodal:
		return w.A + (w.B-w.A)*time.Duration(w.Percent)/100
	case Drift:
		return (w.A + w.B) / 2
	}
	return w.A
}

// Range returns the shortest and the longest piece there can be.
func (w Workload) Range() (shortest, longest time.Duration) {
	switch w.Kind {
	case Jitter:
		spread := w.spread()
		return w.A - spread, w.A + spread
	case Bimodal, Drift:
		return min(w.A, w.B), max(w.A, w.B)
	}
	return w.A, w.A
}

func (w Workload) spread() time.Duration { return w.A * time.Duration(w.Percent) / 100 }
