package fill

import (
	"slices"
	"strings"

	"gpureactor/port"
)

// tasks are the tasks that have not ended.
type tasks struct{ all []*Task }

func (s *tasks) len() int { return len(s.all) }

func (s *tasks) add(t *Task) {
	t.place = len(s.all)
	s.all = append(s.all, t)
}

func (s *tasks) remove(t *Task) {
	last := len(s.all) - 1
	s.all[t.place] = s.all[last]
	s.all[t.place].place = t.place
	s.all[last] = nil
	s.all = s.all[:last]
}

// admit takes in a new task.
func (e *Executor) admit(t *Task) {
	e.stats.Tasks++
	e.all.add(t)
	e.makeReady(t)
}

// makeReady puts a task at the end of its ready queue. Its wait is over, so that its
// timer, if it has one, cannot ready it again.
func (e *Executor) makeReady(t *Task) {
	if t.state == waiting && t.callable() {
		e.wakeable--
	}
	e.stopTimer(t)
	t.state = ready
	e.ready.push(t)
}

// finish takes out a task whose function is over, and lets those go on that wait
// for it.
func (e *Executor) finish(t *Task) {
	t.over.Store(true)
	e.all.remove(t)
	for _, by := range t.joined {
		if by.state == waiting { // else it was cancelled and is about to leave the list
			e.makeReady(by)
		}
	}
	t.joined, t.fn, t.worker = nil, nil, nil
	e.stats.Ended++
	if e.cfg.OnEnd != nil {
		defer e.cfg.OnEnd(t.name, t.err)
	}
	if t.err == nil {
		return
	}
	e.stats.failed(t.err)
	err := &TaskError{t.name, t.err}
	e.failures.add(err, e.cause)
	if e.cfg.FirstErrorCancels {
		e.cancelAll(err)
	}
}

// cancelAll ends every wait with the cause, those in Shield only when the reactor is
// closed. The first cause stays.
func (e *Executor) cancelAll(cause error) {
	if e.cause == nil {
		e.cause = cause
		e.inbox.close(cause)
		e.cancel(cause)
	}
	for _, t := range e.all.all {
		if t.shields == 0 || e.closed {
			e.interrupt(t, e.cause)
		}
	}
}

// stall ends every wait, since none can end of itself.
func (e *Executor) stall() {
	err := e.stalled()
	e.cancelAll(err)
	for _, t := range e.all.all {
		e.interrupt(t, err)
	}
}

// interrupt ends the wait of a task, if it waits. A call that is out is waited for.
func (e *Executor) interrupt(t *Task, cause error) {
	if t.state != waiting || t.reason == forCall {
		return
	}
	e.forget(t)
	t.cut = cause
	e.makeReady(t)
}

// stuck says that tasks are left and that nothing registered can wake any of them.
func (e *Executor) stuck() bool {
	return e.ready.len() == 0 && e.waits.out == 0 && len(e.timers) == 0 && e.wakeable == 0 &&
		e.all.len() > 0 && !e.cfg.Serve && !e.inbox.any.Load()
}

// mostNamed bounds the names in an error.
const mostNamed = 16

// stalled returns the error that names the tasks that are left.
func (e *Executor) stalled() error {
	var names []string
	for _, t := range e.all.all {
		names = append(names, t.name)
	}
	slices.Sort(names)
	if more := len(names) - mostNamed; more > 0 {
		names = append(names[:mostNamed], "and others")
	}
	return port.NewError(port.Stalled, strings.Join(names, ", "))
}
