package fill

import "gpureactor/port"

// A Child is a task that another one spawned.
type Child struct{ task *Task }

// Name returns the child's name.
func (c *Child) Name() string { return c.task.name }

// Spawn adds a task at the caller's level, which is ready at once. It refuses a nil
// function with ErrInvalidConfig. The child's error counts as any task's, joined or
// not.
func (t *Task) Spawn(name string, fn func(*Task) error) (*Child, error) {
	if err := t.own("Spawn"); err != nil {
		return nil, err
	}
	if fn == nil {
		return nil, errNilFunction(name)
	}
	child := newTask(t.e, name, fn, t.level)
	t.e.admit(child)
	return &Child{child}, nil
}

// Join waits until the child has ended and returns its error; or the cause, when the
// tasks are cancelled first. Any task of the executor may join; a child of another
// executor is refused with ErrForeign, nil with ErrInvalidConfig.
func (t *Task) Join(c *Child) error {
	if err := t.enter("Join"); err != nil {
		return err
	}
	switch {
	case c == nil:
		return port.NewError(port.InvalidConfig, "child", "nil", "one that Spawn returned")
	case c.task.e != t.e:
		return port.NewError(port.Foreign, "task "+c.task.name, "another executor", "this one")
	case c.task.state == ended:
		return c.task.err
	}
	c.task.joined = append(c.task.joined, t)
	if err := t.wait(forTask); err != nil {
		c.task.unjoin(t)
		return err
	}
	return c.task.err
}

func (t *Task) unjoin(by *Task) {
	for i, x := range t.joined {
		if x == by {
			t.joined = append(t.joined[:i], t.joined[i+1:]...)
			return
		}
	}
}
