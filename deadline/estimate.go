package deadline

import "time"

// An Estimate predicts the residual of one readback point from its last samples.
// The zero value has none. Estimates are values: copied and compared with ==. One
// goroutine at a time uses an Estimate; a [Point] is for several.
type Estimate struct {
	samples [MaxWindow]time.Duration // the latest first; unused places are 0
	n       uint8
}

// Predicted returns the minimum of the samples, false when there are none.
func (e *Estimate) Predicted() (time.Duration, bool) {
	if e.n == 0 {
		return 0, false
	}
	least := e.samples[0]
	for _, s := range e.samples[1:e.n] {
		least = min(least, s)
	}
	return least, true
}

// Sleep returns how long to sleep before the next wait, false for no sleep. See
// [Rule.Sleep].
func (e *Estimate) Sleep(r Rule) (time.Duration, bool) {
	p, ok := e.Predicted()
	if !ok {
		return 0, false
	}
	return r.Sleep(p)
}

// Observe records what a wait taught and forgets what has left r's window. A late
// wake records half of the lesser of wake and prediction, so it never raises the
// prediction.
func (e *Estimate) Observe(r Rule, o Outcome) {
	sample := o.value
	if o.late {
		if p, ok := e.Predicted(); ok {
			sample = min(sample, p)
		}
		sample /= 2
	}
	window := min(max(r.Window, 1), MaxWindow)
	copy(e.samples[1:], e.samples[:])
	e.samples[0] = sample
	e.n = min(e.n+1, window)
	clear(e.samples[e.n:])
}
