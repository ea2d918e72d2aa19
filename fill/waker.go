package fill

// A Waker ends the Park of its task. It may be copied, compared, kept, and used from
// any goroutine, after the end of the task as well.
type Waker struct{ task *Task }

// Waker returns the task's waker. From then on the task is never taken for stuck.
func (t *Task) Waker() Waker {
	if t.own("Waker") == nil {
		t.handed = true
	}
	return Waker{t}
}

// Wake ends the task's Park, or its next one when it is not parked: one wake is
// kept, more are one. It does not block. On the zero Waker it does nothing.
func (w Waker) Wake() {
	if w.task == nil || w.task.woken.Swap(true) {
		return
	}
	w.task.e.inbox.post(w.task.e, letter{w.task, woke})
}

// Park waits for a Wake. It returns nil for a wake, and the cause when the tasks are
// cancelled. A task that parks and never handed out a Waker is stuck.
func (t *Task) Park() error {
	if err := t.enter("Park"); err != nil {
		return err
	}
	if t.woken.Swap(false) {
		return t.Yield()
	}
	err := t.wait(forWake)
	if err == nil {
		t.woken.Swap(false) // a swap, so that what each Wake stands for is seen
	}
	return err
}
