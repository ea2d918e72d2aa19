package waitplan

import (
	"fmt"
	"time"

	"gpureactor/port"
)

// PollBackstop is the longest time between two status queries of a poll plan,
// whose text has no backstop of its own.
const PollBackstop = 10 * time.Millisecond

// An Event is what the driver of a [Wait] has just learned.
type Event uint8

const (
	// Pending: a look at the word found it short of the target.
	Pending Event = iota + 1
	// Reached: a look found the target reached, and nobody had been looking when
	// that happened. The time of the look bounds the residual from above.
	Reached
	// Seen: a poll or park that was running saw the target reached. The time of
	// the look is the residual.
	Seen
	// Armed: the mark is queued behind the work.
	Armed
	// Busy: the driver's status says that work is still running.
	Busy
	// Idle: the driver's status says that all work queued before the query has
	// finished, and the word is short of the target all the same.
	Idle
	// Unblocked: the vendor's blocking wait returned without an error.
	Unblocked
)

// An ActionKind is what the driver of a [Wait] does next.
type ActionKind uint8

const (
	// Query: ask the driver's status. A driver that asks off the turn calls Next
	// with Pending at once for the action to go on with, and with Busy or Idle
	// when the answer is there.
	Query ActionKind = iota + 1
	// Arm: mark the stream, so that the word is stored behind the work.
	Arm
	// SleepUntil: leave the word alone until the time.
	SleepUntil
	// PollUntil: look at the word without giving the core away, until the time.
	PollUntil
	// ParkUntil: park on the word until the time.
	ParkUntil
	// BlockOn: run the vendor's blocking wait.
	BlockOn
	// Finish: the wait is over; see the Report.
	Finish
)

// An Action is the next step of a wait. Until is a time on the wait's clock, for
// the three kinds that have one.
type Action struct {
	Kind  ActionKind
	Until port.Time
}

// phase says where a wait stands. Next moves it, nobody else:
//
//	fresh    -> asking (no ticket yet), sleeping, watching or blocking
//	asking   -> arming (busy), done (idle)
//	arming   -> sleeping, watching or blocking
//	sleeping -> watching
//	sleeping, watching, fresh -> confirming, done
//	confirming, blocking -> done
type phase uint8

const (
	fresh phase = iota
	asking
	arming
	sleeping
	watching
	blocking
	confirming
	done
)

// A Wait is the state machine of one wait: pure, no I/O, no clock of its own. Its
// driver looks at the word, tells the machine with [Wait.Next], and does what it
// answers; so every decision can be replayed in virtual time. The zero Wait is
// started by [Wait.Begin] or [Wait.BeginTicket]. It is used by one goroutine at a
// time and allocates nothing.
type Wait struct {
	plan      *Plan
	predicted time.Duration // 0: none
	start     port.Time
	slept     port.Time // when the sleep began
	until     port.Time // end of the sleep or of the park window
	backstop  port.Time // next status query
	phase     phase
	asked     bool // a query is out
	suspected bool // the early query of an overdue wait was made
	report    Report
}

// Begin starts a wait for work that has no mark yet: it queries, and arms if the
// work is still running. predicted is the expected length of the wait, 0 for
// none. plan must be valid and stay as it is until the wait is over.
func (w *Wait) Begin(plan *Plan, predicted time.Duration, now port.Time) {
	w.begin(plan, predicted, now)
	w.phase = asking
}

// BeginTicket starts a wait for a ticket, which was marked already. start is when
// the wait began, so a driver that queues waits may hand them over later.
func (w *Wait) BeginTicket(plan *Plan, predicted time.Duration, start port.Time) {
	w.begin(plan, predicted, start)
}

func (w *Wait) begin(plan *Plan, predicted time.Duration, start port.Time) {
	*w = Wait{plan: plan, predicted: max(predicted, 0), start: start}
}

// Report tells how the wait went so far; final once Next returned Finish.
func (w *Wait) Report() Report { return w.report }

// Confirming reports whether the word was reached and the plan has the driver
// asked before the wait may succeed.
func (w *Wait) Confirming() bool { return w.phase == confirming }

// Next takes what was learned at now and returns what to do. After Finish it
// keeps returning Finish. An error of the driver needs no event: it ends the wait
// whatever its state.
func (w *Wait) Next(e Event, now port.Time) Action {
	if w.phase == done {
		return Action{Kind: Finish}
	}
	switch e {
	case Reached, Seen:
		return w.reached(e, now)
	case Armed:
		w.phase = fresh
	case Busy:
		w.asked = false
		if w.phase == asking {
			w.phase = arming
		}
	case Idle:
		w.asked = false
		return w.idle(now)
	case Unblocked:
		return w.finish(Blocked, Unknown, now)
	}
	return w.pending(now)
}

// pending is the next step of a wait whose word is short of the target.
func (w *Wait) pending(now port.Time) Action {
	switch w.phase {
	case asking:
		if w.asked {
			return Action{SleepUntil, w.backstop}
		}
		return w.ask(now)
	case arming:
		return Action{Kind: Arm}
	case fresh:
		return w.enter(now)
	case sleeping:
		if now < w.until {
			return Action{SleepUntil, w.until}
		}
		w.report.Slept = now.Sub(w.slept)
		return w.watch(now)
	case watching:
		return w.rewatch(now)
	case blocking:
		return Action{Kind: BlockOn}
	case confirming:
		return w.confirm(now)
	}
	return Action{Kind: Finish}
}

// enter begins the plan proper.
func (w *Wait) enter(now port.Time) Action {
	if w.plan.Park == Block {
		w.phase = blocking
		return Action{Kind: BlockOn}
	}
	if d, ok := w.sleep(); ok && w.start.Add(d) > now {
		w.phase, w.slept, w.until = sleeping, now, w.start.Add(d)
		return Action{SleepUntil, w.until}
	}
	return w.watch(now)
}

func (w *Wait) sleep() (time.Duration, bool) {
	if !w.plan.Predict || w.predicted <= 0 {
		return 0, false
	}
	return w.plan.Deadline.Sleep(w.predicted)
}

// watch begins to poll or park.
func (w *Wait) watch(now port.Time) Action {
	w.phase, w.until = watching, now
	w.backstop = now.Add(w.plan.backstop())
	return w.rewatch(now)
}

// rewatch goes on polling or parking, and asks the driver when it is time.
func (w *Wait) rewatch(now port.Time) Action {
	if !w.asked && w.queryDue(now) {
		return w.ask(now)
	}
	next := w.backstop
	if t, ok := w.suspect(); ok {
		next = min(next, t)
	}
	if w.asked {
		next = port.Forever
	}
	if w.plan.Park == Poll {
		if next == port.Forever {
			next = now.Add(w.plan.backstop())
		}
		return Action{PollUntil, next}
	}
	if now >= w.until {
		w.until = now.Add(w.plan.ParkFor)
		w.report.Parks++
	}
	return Action{ParkUntil, min(w.until, next)}
}

// queryDue says that the backstop has come, or that the stream looks idle without
// its word having moved: twice the predicted time has passed.
func (w *Wait) queryDue(now port.Time) bool {
	if t, ok := w.suspect(); ok && now >= t {
		w.suspected = true
		return true
	}
	return now >= w.backstop
}

// suspect returns when an overdue wait asks once before its backstop.
func (w *Wait) suspect() (port.Time, bool) {
	if w.suspected || w.predicted <= 0 {
		return 0, false
	}
	return w.start.Add(w.predicted).Add(w.predicted), true
}

func (w *Wait) ask(now port.Time) Action {
	w.asked = true
	w.report.Queries++
	w.backstop = now.Add(w.plan.backstop())
	return Action{Kind: Query}
}

// reached ends the wait, or asks the driver first where the plan says so.
func (w *Wait) reached(e Event, now port.Time) Action {
	switch w.phase {
	case done:
		return Action{Kind: Finish}
	case confirming:
		return w.confirm(now)
	}
	kind, bound := w.classify(e)
	if w.plan.Confirm && kind != Blocked {
		w.finish(kind, bound, now)
		w.phase, w.asked = confirming, false
		return w.ask(now)
	}
	return w.finish(kind, bound, now)
}

// classify names the end and says what the look tells of the residual.
func (w *Wait) classify(e Event) (Kind, Bound) {
	if w.plan.Park == Block {
		return Blocked, Unknown
	}
	switch w.phase {
	case fresh, asking, arming:
		return Immediate, Exact
	case sleeping:
		if e == Reached {
			return Late, Upper
		}
		return Parked, Exact
	}
	if e == Reached {
		return Parked, Upper
	}
	return Parked, Exact
}

// idle ends a wait that the driver's status called complete. A word that fell
// short teaches nothing about when the work ended.
func (w *Wait) idle(now port.Time) Action {
	switch w.phase {
	case done:
		return Action{Kind: Finish}
	case confirming:
		w.phase = done
		w.report.Waited = now.Sub(w.start)
		return Action{Kind: Finish}
	case asking:
		return w.finish(Immediate, Exact, now)
	}
	w.report.LostStore = true
	return w.finish(Parked, Unknown, now)
}

// confirm waits for the driver to agree, asking every backstop.
func (w *Wait) confirm(now port.Time) Action {
	if !w.asked && now >= w.backstop {
		return w.ask(now)
	}
	if w.asked {
		return Action{SleepUntil, now.Add(w.plan.backstop())}
	}
	return Action{SleepUntil, w.backstop}
}

func (w *Wait) finish(k Kind, b Bound, now port.Time) Action {
	if w.phase == sleeping {
		w.report.Slept = now.Sub(w.slept)
	}
	w.phase = done
	w.report.Kind, w.report.Bound = k, b
	w.report.Waited = now.Sub(w.start)
	if b != Unknown {
		w.report.Residual = w.report.Waited
	}
	return Action{Kind: Finish}
}

// backstop returns the longest time between two status queries.
func (p *Plan) backstop() time.Duration {
	if p.Park == Flag {
		return p.Backstop
	}
	return PollBackstop
}

// String names the event.
func (e Event) String() string {
	return name("event", e, "pending", "reached", "seen", "armed", "busy", "idle", "unblocked")
}

// String names the action.
func (k ActionKind) String() string {
	return name("action", k, "query", "arm", "sleep", "poll", "park", "block", "finish")
}

// name returns names[v-1], for enumerations that start at 1.
func name[T ~uint8](kind string, v T, names ...string) string {
	if v == 0 || int(v) > len(names) {
		return fmt.Sprintf("%s(%d)", kind, uint8(v))
	}
	return names[v-1]
}
