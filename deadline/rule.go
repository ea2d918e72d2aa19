package deadline

import (
	"strconv"
	"time"

	"gpureactor/port"
)

// MaxWindow is the largest number of samples that an estimate keeps.
const MaxWindow = 16

// A Rule says how a prediction becomes a sleep.
type Rule struct {
	// Margin is how long before the predicted end to wake, 0 or more.
	Margin time.Duration
	// MinSleep is the shortest sleep worth making, MaxSleep the longest allowed:
	// 0 <= MinSleep <= MaxSleep.
	MinSleep, MaxSleep time.Duration
	// Window is the number of samples that the prediction is the minimum of, 1 to
	// MaxWindow.
	Window uint8
}

// Validate returns ErrInvalidConfig for the first field that is out of bounds.
func (r Rule) Validate() error {
	switch {
	case r.Margin < 0:
		return refuse("Margin", r.Margin.String(), "0 or more")
	case r.MinSleep < 0:
		return refuse("MinSleep", r.MinSleep.String(), "0 or more")
	case r.MaxSleep < r.MinSleep:
		return refuse("MaxSleep", r.MaxSleep.String(), "MinSleep ("+r.MinSleep.String()+") or more")
	case r.Window < 1 || r.Window > MaxWindow:
		return refuse("Window", strconv.Itoa(int(r.Window)), "1 to "+strconv.Itoa(MaxWindow))
	}
	return nil
}

func refuse(field, value, allowed string) error {
	return port.NewError(port.InvalidConfig, "deadline.Rule."+field, value, allowed)
}

// Sleep returns how long to sleep before a wait that is predicted to last that
// long: the prediction less the margin, at most MaxSleep. It returns false for no
// sleep: nothing is left of it, or less than MinSleep.
func (r Rule) Sleep(predicted time.Duration) (time.Duration, bool) {
	s := predicted - max(r.Margin, 0) // cannot overflow: predicted is not negative
	if predicted <= 0 || s <= 0 || s < r.MinSleep || r.MaxSleep <= 0 {
		return 0, false
	}
	return min(s, r.MaxSleep), true
}

// An Outcome is what one wait taught about its residual.
type Outcome struct {
	value time.Duration
	late  bool
}

// Exact is the residual of a wait that a poll or park saw the end of.
func Exact(residual time.Duration) Outcome { return Outcome{value: max(residual, 0)} }

// Late is the time from the start of a wait to a wake that found the work done:
// the residual is not longer than that.
func Late(woke time.Duration) Outcome { return Outcome{value: max(woke, 0), late: true} }
