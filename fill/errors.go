package fill

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
)

// A TaskError is the error that a task ended with.
type TaskError struct {
	// Name is the task's.
	Name string
	// Err is what its function returned, or a *PanicError.
	Err error
}

// Error returns the task's name and its error.
func (e *TaskError) Error() string { return "task " + e.Name + ": " + e.Err.Error() }

// Unwrap returns the task's own error.
func (e *TaskError) Unwrap() error { return e.Err }

// A PanicError is the panic that ended a task, or a function of Blocking.
type PanicError struct {
	// Value is what panic was given.
	Value any
	// Stack is that of the goroutine that panicked, as debug.Stack writes it.
	Stack []byte
}

// Error returns the value and the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

// Unwrap returns the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// errGoexit is the error of a task that ended the goroutine.
var errGoexit error = errors.New("task called runtime.Goexit")

// panicked returns the error of a function that did not return: what it panicked
// with, or that it ended its goroutine.
func panicked(value any) error {
	switch p := value.(type) {
	case nil:
		return errGoexit
	case *PanicError: // of a Blocking call
		return p
	}
	return &PanicError{value, debug.Stack()}
}

// A RunError says why a run did not end well.
type RunError struct {
	// Cause is why the tasks were cancelled: the cause of the context's end,
	// ErrStalled with the tasks' names, ErrClosed, or the first task's *TaskError.
	// It is nil when they were not.
	Cause error
	// Tasks are the first tasks that failed of themselves, in the order of their
	// ends: those that returned the cause are not among them. More were left out.
	Tasks []*TaskError
	More  int
}

// Error returns the cause and the errors of the tasks.
func (e *RunError) Error() string {
	var parts []string
	if e.Cause != nil {
		parts = append(parts, e.Cause.Error())
	}
	for _, t := range e.Tasks {
		parts = append(parts, t.Error())
	}
	if e.More > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", e.More))
	}
	return strings.Join(parts, "; ")
}

// Unwrap returns the cause and the errors of the tasks.
func (e *RunError) Unwrap() []error {
	var all []error
	if e.Cause != nil {
		all = append(all, e.Cause)
	}
	for _, t := range e.Tasks {
		all = append(all, t)
	}
	return all
}

// failures collects the errors of tasks.
type failures struct {
	tasks []*TaskError
	more  int
}

// mostFailures bounds what is kept of a run with many tasks that fail.
const mostFailures = 16

// add takes in the error of a task, unless that is the cause it was cancelled for.
func (f *failures) add(err *TaskError, cause error) {
	switch {
	case cause != nil && errors.Is(err, cause):
	case len(f.tasks) < mostFailures:
		f.tasks = append(f.tasks, err)
	default:
		f.more++
	}
}

// err returns the error of the run.
func (f *failures) err(cause error) error {
	if cause == nil && len(f.tasks) == 0 {
		return nil
	}
	e := &RunError{Cause: cause, Tasks: f.tasks, More: f.more}
	if len(e.Tasks) > 0 && cause == error(e.Tasks[0]) {
		e.Tasks = e.Tasks[1:] // said once
	}
	return e
}
