package waitplan_test

import (
	"math"
	"testing"
	"time"

	"gpureactor/deadline"
	"gpureactor/port"
	"gpureactor/waitplan"

	"pgregory.net/rapid"
)

// around draws whole microseconds near both bounds, far outside them and between,
// and now and then a fraction.
func around(t *rapid.T, name string, least, most time.Duration) time.Duration {
	d := rapid.OneOf(
		rapid.SampledFrom([]time.Duration{math.MinInt64, -us, 0, least - us, least, most, most + us, math.MaxInt64}),
		rapid.Map(rapid.Int64Range(int64(least/us), int64(most/us)), func(n int64) time.Duration { return time.Duration(n) * us }),
	).Draw(t, name)
	if rapid.IntRange(0, 19).Draw(t, name+" is a fraction") == 0 && d < math.MaxInt64 {
		d++
	}
	return d
}

// drawPlan draws a plan that is valid about as often as not.
func drawPlan(t *rapid.T) waitplan.Plan {
	p := waitplan.Plan{
		Park:    waitplan.Park(rapid.Uint8Range(0, 4).Draw(t, "park")),
		Confirm: rapid.Bool().Draw(t, "confirm"),
		Predict: rapid.Bool().Draw(t, "predict"),
	}
	if p.Park == waitplan.Flag || rapid.IntRange(0, 9).Draw(t, "stray park") == 0 {
		p.ParkFor = around(t, "park for", us, waitplan.MaxPark)
		p.Backstop = around(t, "backstop", us, waitplan.MaxBackstop)
	}
	if p.Predict || rapid.IntRange(0, 9).Draw(t, "stray rule") == 0 {
		p.Deadline = deadline.Rule{
			Margin:   around(t, "margin", 0, waitplan.MaxSleep),
			MinSleep: around(t, "min", 0, waitplan.MaxSleep),
			MaxSleep: around(t, "max", 0, waitplan.MaxSleep),
			Window:   rapid.Uint8Range(0, deadline.MaxWindow+1).Draw(t, "window"),
		}
	}
	return p
}

// Validate accepts a plan exactly when its text stands for it: the bounds of the
// grammar and those of the fields are the same.
func TestPlanIsValidExactlyWhenItsTextStandsForIt(t *testing.T) {
	valid := 0
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t)
		read, err := waitplan.Parse(p.String())
		if same := err == nil && read == p; same != (p.Validate() == nil) {
			t.Fatalf("%+v: valid %v, but %q reads back to %+v, %v", p, p.Validate(), p, read, err)
		}
		if p.Validate() == nil {
			valid++
		}
	})
	if valid == 0 {
		t.Error("no valid plan was drawn")
	}
}

// A valid rule of a plan is a valid rule of package deadline.
func TestPlansRuleIsValidForTheEstimator(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if p := drawPlan(t); p.Predict && p.Validate() == nil && p.Deadline.Validate() != nil {
			t.Fatalf("%+v: %v", p, p.Deadline.Validate())
		}
	})
}

// What runs after a fallback is valid, needs nothing that is missing, and keeps
// the prediction and the confirm.
func TestFallbackEndsAtAPlanThatNeedsNothing(t *testing.T) {
	none := waitplan.Caps{NoWordWait: "none"}
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t)
		r, err := waitplan.Resolve(p, none, false)
		if (err == nil) != (p.Validate() == nil) {
			t.Fatalf("%+v: %v", p, err)
		}
		if err != nil {
			return
		}
		run := r.Running
		if run.Validate() != nil || run.Predict != p.Predict || run.Deadline != p.Deadline || run.Confirm != p.Confirm {
			t.Fatalf("%q runs %+v", p, run)
		}
		if again, err := waitplan.Resolve(run, none, true); err != nil || again.Running != run || again.Warning != nil {
			t.Fatalf("%q runs %q, which falls back again: %v, %v", p, run, again, err)
		}
		if fell := r.Warning != nil; fell != (run != p) || fell && r.Warning.Code != port.ParkFallback {
			t.Fatalf("%q runs %q, warning %v", p, run, r.Warning)
		}
	})
}
