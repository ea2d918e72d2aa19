package waitplan

import (
	"time"

	"gpureactor/deadline"
)

// Kind says how a wait ended in success.
type Kind uint8

const (
	// Blocked: the vendor's blocking wait returned.
	Blocked Kind = iota + 1
	// Immediate: the first look found the work done.
	Immediate
	// Late: the first look after a sleep found the work done.
	Late
	// Parked: a poll or a park saw the end.
	Parked
)

// String returns "blocked", "immediate", "late" or "parked".
func (k Kind) String() string {
	return name("kind", k, "blocked", "immediate", "late", "parked")
}

// Bound says what a wait learned about its residual, the time from the start of
// the wait to the completion.
type Bound uint8

const (
	// Unknown: nothing.
	Unknown Bound = iota
	// Exact: the residual itself.
	Exact
	// Upper: a bound from above; the work ended unseen before that.
	Upper
)

// String returns "unknown", "exact" or "upper".
func (b Bound) String() string {
	return name("bound", b+1, "unknown", "exact", "upper")
}

// A Report tells how one wait went.
type Report struct {
	// Kind says how it ended; 0 for a wait that failed or was cancelled.
	Kind Kind
	// Bound says what Residual is.
	Bound Bound
	// LostStore: the driver called the work complete though its store never came.
	LostStore bool
	// Parks counts the park windows on the word, Queries the status queries.
	Parks, Queries uint32
	// Waited is the time from start to end, Slept the part spent in the sleep to
	// the predicted end, Residual the time from start to completion as far as
	// Bound says.
	Waited, Slept, Residual time.Duration
}

// Outcome returns what a deadline estimator learns from the wait, false for
// nothing.
func (r Report) Outcome() (deadline.Outcome, bool) {
	switch r.Bound {
	case Exact:
		return deadline.Exact(r.Residual), true
	case Upper:
		return deadline.Late(r.Residual), true
	}
	return deadline.Outcome{}, false
}
