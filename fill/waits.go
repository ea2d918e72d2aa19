package fill

import "gpureactor/reactor"

// A wait is one ticket that a task awaits. The memory is the executor's, since the
// reactor may hand its end out after the task has lost interest.
type wait struct {
	future reactor.Future
	task   *Task // nil: the end is of no interest any more
	at     int   // its place in the task's group
	token  uint64
}

// waits holds all waits by token. out is how many are with the reactor.
type waits struct {
	all  []*wait
	free []*wait
	out  int
}

func (w *waits) take() *wait {
	last := len(w.free) - 1
	if last < 0 {
		x := &wait{token: uint64(len(w.all))}
		w.all = append(w.all, x)
		return x
	}
	x := w.free[last]
	w.free = w.free[:last]
	return x
}

func (w *waits) give(x *wait) {
	x.task = nil
	w.free = append(w.free, x)
}

// watch has the reactor watch what t awaits at place i of its group.
func (e *Executor) watch(t *Task, i int) error {
	g := &t.group[i]
	x := e.waits.take()
	if err := e.queue.WatchInto(&x.future, g.Ticket, g.Options, x.token); err != nil {
		e.waits.give(x)
		return err
	}
	x.task, x.at, g.wait = t, i, x
	e.waits.out++
	return nil
}

// forget ends the interest in what is left of t's group. The ends come all the
// same, and find nobody.
func (e *Executor) forget(t *Task) {
	for i := range t.group {
		if x := t.group[i].wait; x != nil {
			t.group[i].wait, x.task = nil, nil
			x.future.Cancel()
		}
	}
}

// deliver hands the first n of done to their tasks, and reports whether that
// readied any.
func (e *Executor) deliver(n int) bool {
	woke := false
	for i := range e.done[:n] {
		c := &e.done[i]
		x := e.waits.all[c.Token]
		e.waits.out--
		if t := x.task; t != nil {
			woke = t.arrived(x.at, c) || woke
		}
		e.waits.give(x)
	}
	return woke
}

// arrived notes the end of one wait of t's group, and reports whether that readied
// it.
func (t *Task) arrived(at int, c *reactor.Completion) bool {
	g := &t.group[at]
	g.wait, g.Ended, g.Report, g.Err = nil, true, c.Report, c.Err
	if t.first < 0 {
		t.first = at
	}
	t.need--
	if t.need != 0 || t.state != waiting {
		return false
	}
	t.e.makeReady(t)
	return true
}
