package waitplan

import (
	"context"
	"runtime"
	"time"

	"gpureactor/deadline"
	"gpureactor/port"
)

// peekEvery is the time between two peeks of a source that has no word to watch.
const peekEvery = 20 * time.Microsecond

// An Inline drives waits on the goroutine that waits: no reactor, no hand-over.
// It has its host for itself, waits for one ticket at a time, and is used by one
// goroutine at a time. A source is waited for by one Inline at a time, and not by
// a reactor meanwhile, since both tell it what retired.
type Inline struct {
	host   port.Host
	ready  func() bool // the method value, made once
	source port.Source
	peeker port.Peeker
	ticket port.Ticket
	wait   Wait
	// retired is what the source was told last, if told.
	retired uint64
	told    bool
}

// NewInline returns a driver that idles on host.
func NewInline(host port.Host) *Inline {
	in := &Inline{host: host}
	in.ready = in.reached
	return in
}

// Await waits for t on src after plan. The zero ticket stands for all the work
// queued on src so far, which is marked first. point learns the residual and predicts it; nil
// does neither. The wait is retired at the source before Await returns.
//
// It returns the cause of ctx when that ends first, and the driver's error when
// the work failed. It refuses a nil source and an invalid plan. A plan that parks
// on a source without a device word polls instead.
func (in *Inline) Await(ctx context.Context, src port.Source, t port.Ticket, plan Plan, point *deadline.Point) (Report, error) {
	if src == nil {
		return Report{}, port.NewError(port.InvalidSource, "nil")
	}
	if err := plan.Validate(); err != nil {
		return Report{}, err
	}
	if t.Valid() && t.Word() != src.Word() {
		return Report{}, port.NewError(port.Foreign, t.String(), "another source", "this one")
	}
	if err := src.Acquire(); err != nil {
		return Report{}, err
	}
	defer src.Release()
	if !t.Valid() {
		var err error
		if t, err = src.Mark(); err != nil {
			return Report{}, err
		}
	}
	if src != in.source {
		in.told = false
	}
	in.source, in.ticket = src, t
	in.peeker, _ = src.(port.Peeker)
	if in.peeker != nil && plan.Park == Flag {
		plan = Plan{Park: Poll, Predict: plan.Predict, Deadline: plan.Deadline, Confirm: plan.Confirm}
	}
	stop := context.AfterFunc(ctx, in.host.Wake)
	defer stop()
	err := in.run(ctx, &plan, point)
	return in.wait.Report(), err
}

func (in *Inline) run(ctx context.Context, plan *Plan, point *deadline.Point) error {
	in.begin(plan, point)
	e, err := in.look(false)
	for err == nil {
		if err = context.Cause(ctx); err != nil {
			return err
		}
		a := in.wait.Next(e, in.host.Now())
		if a.Kind == Finish {
			in.learn(plan, point)
			in.retire(nil)
			return nil
		}
		e, err = in.do(ctx, a)
	}
	if context.Cause(ctx) == nil {
		in.retire(err)
	}
	return err
}

func (in *Inline) begin(plan *Plan, point *deadline.Point) {
	var predicted time.Duration
	if plan.Predict && point != nil {
		predicted, _ = point.Predicted()
	}
	in.wait.BeginTicket(plan, predicted, in.host.Now())
}

func (in *Inline) learn(plan *Plan, point *deadline.Point) {
	if o, ok := in.wait.Report().Outcome(); ok && plan.Predict && point != nil {
		point.Observe(plan.Deadline, o)
	}
}

// retire tells the source, in rising order.
func (in *Inline) retire(err error) {
	upTo := in.ticket.Target()
	if in.told && port.Reached(in.retired, upTo) {
		return
	}
	in.retired, in.told = upTo, true
	in.source.Retire(upTo, err)
}

// do carries out one action and returns the event it ended in.
func (in *Inline) do(ctx context.Context, a Action) (Event, error) {
	switch a.Kind {
	case Query:
		return in.query()
	case BlockOn:
		return Unblocked, in.source.Block(ctx, in.ticket)
	case SleepUntil:
		in.host.SleepUntil(a.Until)
		return in.look(false)
	}
	return in.watch(a)
}

func (in *Inline) query() (Event, error) {
	status, err := in.source.Status()
	switch {
	case err != nil:
		return Busy, err
	case in.wait.Confirming():
		return in.confirmed(status), nil
	case status == port.StatusBusy:
		return Busy, nil
	case in.ticket.Reached():
		return Seen, nil
	}
	return Idle, nil
}

// confirmed reads a status asked behind a word that was reached. A busy stream
// whose word went on is busy with later work: the answer says no failure, which
// is all it can say of this ticket.
func (in *Inline) confirmed(status port.Status) Event {
	if status == port.StatusBusy && in.ticket.Word().Load() == in.ticket.Target() {
		return Busy
	}
	return Idle
}

// watch polls or parks until the action's time. A plan that polls keeps the core,
// so the host's park serves both.
func (in *Inline) watch(a Action) (Event, error) {
	bound := a.Until
	if in.peeker != nil {
		bound = min(bound, in.host.Now().Add(peekEvery))
	}
	in.host.ParkLine(in.ticket.Word().Line(), in.ready, bound)
	return in.look(true)
}

func (in *Inline) reached() bool { return in.ticket.Reached() }

// look loads the word, or peeks; watched says that a poll or park ran up to now.
func (in *Inline) look(watched bool) (Event, error) {
	if in.peeker != nil {
		if _, err := in.peeker.Peek(); err != nil {
			return Pending, err
		}
		runtime.Gosched()
	}
	switch {
	case !in.ticket.Reached():
		return Pending, nil
	case watched:
		return Seen, nil
	}
	return Reached, nil
}
