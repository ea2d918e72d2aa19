package fill

import "context"

// blocked is how a function of Blocking ended.
type blocked struct {
	err      error
	panicked *PanicError
}

// Blocking runs fn on a goroutine of its own, while other tasks run, and returns its
// error: for calls that block, lock their thread or compute for long. fn gets the
// task's context, and Blocking returns when fn has, cancelled or not, so that what fn
// uses may be freed afterwards. A panic in fn goes on in the task. It refuses a nil
// function, and when the tasks are cancelled fn does not run.
func (t *Task) Blocking(fn func(ctx context.Context) error) error {
	if err := t.enter("Blocking"); err != nil {
		return err
	}
	if fn == nil {
		return errNilFunction(t.name + ", blocking")
	}
	t.e.stats.Blocking++
	go t.block(t.Context(), fn)
	t.wait(forCall)
	result := t.result
	t.result = blocked{}
	if result.panicked != nil {
		panic(result.panicked)
	}
	return result.err
}

// block runs fn and posts its end.
func (t *Task) block(ctx context.Context, fn func(context.Context) error) {
	returned := false
	defer func() {
		if !returned {
			err := panicked(recover())
			if p, ok := err.(*PanicError); ok {
				t.result.panicked = p
			} else {
				t.result.err = err
			}
		}
		t.e.inbox.post(t.e, letter{t, called})
	}()
	t.result.err = fn(ctx)
	returned = true
}
