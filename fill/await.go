package fill

import (
	"context"

	"gpureactor/port"
	"gpureactor/reactor"
	"gpureactor/waitplan"
)

// A Wait is one ticket of several that a task awaits together.
type Wait struct {
	// Ticket is awaited, under Options: its point and its plan.
	Ticket  port.Ticket
	Options reactor.Options

	// Ended says that it has, then Err tells how and Report how the wait went.
	Ended  bool
	Err    error
	Report waitplan.Report

	wait *wait
}

// Await waits until the ticket is reached. It allocates nothing in steady state. The
// error is the driver's when the work failed, ErrForeign for a ticket of a stream
// that is not registered at the executor's reactor, ErrClosed when reactor or stream
// is closed, or the cause when the tasks are cancelled; the device's work goes on
// then. A Report comes with success only.
func (t *Task) Await(ticket port.Ticket, o reactor.Options) (waitplan.Report, error) {
	return t.awaitOne("Await", ticket, o, port.Forever)
}

// AwaitUntil is Await until the executor's clock reads until at most; the error is
// context.DeadlineExceeded then. See [Task.Now].
func (t *Task) AwaitUntil(ticket port.Ticket, o reactor.Options, until port.Time) (waitplan.Report, error) {
	return t.awaitOne("AwaitUntil", ticket, o, until)
}

func (t *Task) awaitOne(method string, ticket port.Ticket, o reactor.Options, until port.Time) (waitplan.Report, error) {
	if err := t.enter(method); err != nil {
		return waitplan.Report{}, err
	}
	t.one[0] = Wait{Ticket: ticket, Options: o}
	err := t.await(t.one[:], 1, until)
	if err == nil {
		err = t.one[0].Err
	}
	return t.one[0].Report, err
}

// AwaitAll waits until every ticket is reached or has failed, each with its Ended,
// Err and Report. The error is that of the first in order that failed. A wait that is
// refused ends the others, and so does the cancellation of the tasks; then those that
// have not Ended are not awaited any more. No waits are all reached.
func (t *Task) AwaitAll(waits []Wait) error {
	if err := t.enter("AwaitAll"); err != nil {
		return err
	}
	if err := t.await(waits, len(waits), port.Forever); err != nil {
		return err
	}
	for i := range waits {
		if waits[i].Err != nil {
			return waits[i].Err
		}
	}
	return nil
}

// AwaitAny waits until one of the tickets is reached or has failed, and returns the
// place of the first that did, and its error. The rest are not awaited any more;
// their work goes on. Several may have Ended. It refuses an empty list with
// ErrInvalidConfig.
func (t *Task) AwaitAny(waits []Wait) (int, error) {
	if err := t.enter("AwaitAny"); err != nil {
		return -1, err
	}
	if len(waits) == 0 {
		return -1, port.NewError(port.InvalidConfig, "waits", "empty", "at least one")
	}
	if err := t.await(waits, 1, port.Forever); err != nil {
		return -1, err
	}
	return t.first, waits[t.first].Err
}

// await waits until need of the group have ended. The error is one of the whole
// group: a refused wait, the cancellation, the time.
func (t *Task) await(group []Wait, need int, until port.Time) error {
	t.group, t.need, t.first = group, need, -1
	err := t.watchAll()
	if err == nil && need > 0 {
		if until != port.Forever {
			t.e.setTimer(t, until)
		}
		err = t.wait(forTickets)
		t.e.stopTimer(t)
		if err == nil && t.expired && t.need > 0 {
			err = context.DeadlineExceeded
		}
	}
	t.e.forget(t)
	t.group = nil
	return err
}

func (t *Task) watchAll() error {
	for i := range t.group {
		g := &t.group[i]
		g.Ended, g.Err, g.Report, g.wait = false, nil, waitplan.Report{}, nil
	}
	for i := range t.group {
		if err := t.e.watch(t, i); err != nil {
			return err
		}
	}
	return nil
}
