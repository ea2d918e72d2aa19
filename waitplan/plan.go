package waitplan

import (
	"flag"
	"strconv"
	"time"

	"gpureactor/deadline"
)

// Bounds of a plan's fields.
const (
	MaxPark     = 10 * time.Millisecond
	MaxBackstop = time.Second
	// MaxSleep bounds margin_us, min_sleep_us and max_sleep_us.
	MaxSleep = time.Hour
)

// Park says how the end of a wait is watched.
type Park uint8

const (
	// Block runs the vendor's blocking wait.
	Block Park = iota + 1
	// Poll looks at the word in a loop.
	Poll
	// Flag parks on the word.
	Flag
)

// String returns "block", "poll" or "flag".
func (p Park) String() string { return name("park", p, "block", "poll", "flag") }

// A Plan says how one wait is spent. Plans are values, compared with ==; durations
// are whole microseconds. The zero Plan is not valid: plans come from [Parse], or
// are written out and checked with Validate.
type Plan struct {
	// Park says how the end is watched.
	Park Park
	// ParkFor is the longest single park, 1 us to MaxPark, and Backstop the
	// longest time between two status queries, 1 us to MaxBackstop. Both are for
	// Flag alone and 0 otherwise.
	ParkFor, Backstop time.Duration
	// Predict sleeps to the predicted end first, by the rule Deadline, which is
	// the zero Rule otherwise. Block predicts nothing.
	Predict  bool
	Deadline deadline.Rule
	// Confirm has the wait succeed only after the driver's status agreed. Block
	// takes none: it waits in the driver, or ends when the word is seen first.
	Confirm bool
}

var _ flag.Value = (*Plan)(nil)

// String returns the plan's text, which Parse reads back to an equal plan.
func (p Plan) String() string { return string(p.appendText(nil)) }

// AppendText appends the plan's text to b. The error is that of Validate.
func (p Plan) AppendText(b []byte) ([]byte, error) {
	if err := p.Validate(); err != nil {
		return b, err
	}
	return p.appendText(b), nil
}

// MarshalText returns the plan's text. The error is that of Validate.
func (p Plan) MarshalText() ([]byte, error) { return p.AppendText(nil) }

// UnmarshalText parses text. On an error the plan is left as it was.
func (p *Plan) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err == nil {
		*p = parsed
	}
	return err
}

// Set parses text, for package flag. On an error the plan is left as it was.
func (p *Plan) Set(text string) error { return p.UnmarshalText([]byte(text)) }

func (p Plan) appendText(b []byte) []byte {
	b = append(b, p.Park.String()...)
	if p.Park == Flag {
		b = appendField(b, ":park_us=", p.ParkFor)
		b = appendField(b, ",backstop_us=", p.Backstop)
	}
	if p.Predict {
		b = appendField(b, "+predict:margin_us=", p.Deadline.Margin)
		b = appendField(b, ",min_sleep_us=", p.Deadline.MinSleep)
		b = appendField(b, ",max_sleep_us=", p.Deadline.MaxSleep)
		b = strconv.AppendUint(append(b, ",window="...), uint64(p.Deadline.Window), 10)
	}
	if p.Confirm {
		b = append(b, "+confirm=status"...)
	}
	return b
}

func appendField(b []byte, key string, d time.Duration) []byte {
	return strconv.AppendInt(append(b, key...), int64(d/time.Microsecond), 10)
}

// Validate returns nil for a plan that its text stands for exactly, so for every
// plan that Parse returns; else an InvalidPlan error with the first field that is
// out of bounds.
func (p Plan) Validate() error {
	fault := p.fault()
	if fault == "" {
		return nil
	}
	return invalid(p.String(), 0, fault)
}

func (p Plan) fault() string {
	switch {
	case p.Park < Block || p.Park > Flag:
		return "Park is " + p.Park.String() + ", want block, poll or flag"
	case p.Park != Flag && (p.ParkFor != 0 || p.Backstop != 0):
		return "ParkFor and Backstop are for flag alone"
	case !p.Predict && p.Deadline != deadline.Rule{}:
		return "Deadline is set without Predict"
	case p.Park == Block && (p.Predict || p.Confirm):
		return "block takes no prediction and no confirm"
	}
	return p.boundsFault()
}

func (p Plan) boundsFault() string {
	if p.Park == Flag {
		if f := durationFault("ParkFor", p.ParkFor, time.Microsecond, MaxPark); f != "" {
			return f
		}
		if f := durationFault("Backstop", p.Backstop, time.Microsecond, MaxBackstop); f != "" {
			return f
		}
	}
	if !p.Predict {
		return ""
	}
	d := p.Deadline
	for _, f := range []string{
		durationFault("Deadline.Margin", d.Margin, 0, MaxSleep),
		durationFault("Deadline.MinSleep", d.MinSleep, 0, MaxSleep),
		durationFault("Deadline.MaxSleep", d.MaxSleep, d.MinSleep, MaxSleep),
	} {
		if f != "" {
			return f
		}
	}
	if d.Window < 1 || d.Window > deadline.MaxWindow {
		return "Deadline.Window is " + strconv.Itoa(int(d.Window)) + ", want 1 to " + strconv.Itoa(deadline.MaxWindow)
	}
	return ""
}

func durationFault(field string, d, least, most time.Duration) string {
	if d < least || d > most || d%time.Microsecond != 0 {
		return field + " is " + d.String() + ", want whole microseconds from " + least.String() + " to " + most.String()
	}
	return ""
}
