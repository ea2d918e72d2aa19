package waitplan

import "gpureactor/port"

// A Capability is what a plan may need of host and source.
type Capability uint8

// DeviceWordWait is a word that the device stores behind its work and the host can
// watch in user mode.
const DeviceWordWait Capability = iota + 1

// String returns "device-word-wait".
func (c Capability) String() string { return name("capability", c, "device-word-wait") }

// Caps says which capabilities are missing, and why. The zero Caps lack nothing.
type Caps struct {
	// NoWordWait says why DeviceWordWait is missing; empty when it is there.
	NoWordWait string
}

// lacks returns why c is missing, "" when it is there.
func (c Caps) lacks(need Capability) string {
	if need == DeviceWordWait {
		return c.NoWordWait
	}
	return ""
}

// A Fallback is one row of the chain: a plan whose park is Park needs the
// capability, and where that is missing its park becomes Else.
type Fallback struct {
	Park  Park
	Needs Capability
	Else  Park
}

// fallbacks is walked once from the first row to the last, so the row of a park
// that others fall to stands below theirs.
var fallbacks = [...]Fallback{
	{Park: Flag, Needs: DeviceWordWait, Else: Poll},
}

// Fallbacks returns the whole chain. It ends at Poll, which needs nothing and so
// has no row. Block needs nothing either and is never fallen to: a plan may name
// it.
func Fallbacks() []Fallback {
	rows := fallbacks
	return rows[:]
}

// Resolved is a plan as asked for and the one that runs.
type Resolved struct {
	Requested, Running Plan
	// Warning carries port.ParkFallback when the two differ, else it is nil.
	Warning *port.Error
}

// Resolve walks the fallback chain. A prediction and a confirm stay with the plan.
// Under strict a plan that lacks something is refused with port.PlanRefused. It
// also refuses a plan that is not valid.
func Resolve(p Plan, caps Caps, strict bool) (Resolved, error) {
	if err := p.Validate(); err != nil {
		return Resolved{}, err
	}
	r := Resolved{Requested: p, Running: p}
	for _, row := range fallbacks {
		why := caps.lacks(row.Needs)
		if r.Running.Park != row.Park || why == "" {
			continue
		}
		if strict {
			return Resolved{}, port.NewError(port.PlanRefused, p.String(), row.Needs.String(), why)
		}
		r.Running.Park, r.Running.ParkFor, r.Running.Backstop = row.Else, 0, 0
		r.Warning = port.NewError(port.ParkFallback, p.String(), row.Needs.String(), why, r.Running.String())
	}
	return r, nil
}

// String returns the plan that runs, and after it the one it stands in for.
func (r Resolved) String() string {
	if r.Warning == nil {
		return r.Running.String()
	}
	return r.Running.String() + " (for " + r.Requested.String() + ")"
}

// ResolvedBands are bands of which each was resolved by itself.
type ResolvedBands struct {
	edges []uint32
	plans []Resolved
}

// ResolveBands resolves each band by itself. It refuses what Resolve refuses, and
// the zero Bands with port.InvalidPlan.
func ResolveBands(b Bands, caps Caps, strict bool) (ResolvedBands, error) {
	if b.n == 0 {
		return ResolvedBands{}, errNoBands()
	}
	var rb ResolvedBands
	for i := range b.n {
		r, err := Resolve(b.plans[i], caps, strict)
		if err != nil {
			return ResolvedBands{}, err
		}
		rb.edges = append(rb.edges, b.edges[i])
		rb.plans = append(rb.plans, r)
	}
	return rb, nil
}

// Running returns the bands that run.
func (rb ResolvedBands) Running() Bands {
	b := Bands{n: len(rb.plans)}
	for i, r := range rb.plans {
		b.edges[i], b.plans[i] = rb.edges[i], r.Running
	}
	return b
}

// Warnings returns one warning for each band that falls back, in their order.
func (rb ResolvedBands) Warnings() []*port.Error {
	var all []*port.Error
	for _, r := range rb.plans {
		if r.Warning != nil {
			all = append(all, r.Warning)
		}
	}
	return all
}

// String returns the bands that run, naming every fallback taken.
func (rb ResolvedBands) String() string {
	text := rb.Running().String()
	for _, w := range rb.Warnings() {
		text += " [" + w.Error() + "]"
	}
	return text
}
