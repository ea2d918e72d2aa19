package fill

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"gpureactor/port"
)

// The states of a task. Run's goroutine moves them:
//
//	ready -> active     the executor gives it the thread
//	active -> ready     it yielded
//	active -> waiting   it awaits, sleeps, parks, joins or is blocked
//	waiting -> ready    what it waited for came, or it was cancelled
//	active -> ended     its function returned
const (
	ready uint8 = iota
	active
	waiting
	ended
)

// A Task is what its function is given. See the package comment for who may call
// its methods.
type Task struct {
	e     *Executor
	name  string
	level Level
	fn    func(*Task) error

	// What follows belongs to the executor's goroutine.
	state    uint8
	reason   reason // why it waits
	cut      error  // why the wait was ended early, nil when it was not
	expired  bool   // the wait was ended by its timer
	returned bool   // fn did, neither panicked nor ended the goroutine
	warned   bool
	handed   bool // a Waker of it was handed out
	shields  int  // Shield calls under way
	ignored  int  // waits after the cancellation

	worker *worker
	next   *Task     // in a ready queue
	began  port.Time // its slice
	until  port.Time // its timer
	order  uint64    // of timers for the same time
	timer  int       // place among the timers, -1 for none
	place  int       // among the executor's tasks
	group  []Wait    // what it awaits
	need   int       // how many of those must end
	first  int       // which of those did, -1 for none yet
	one    [1]Wait   // the group of a single Await
	joined []*Task   // who waits for its end
	result blocked   // of Blocking
	err    error

	// woken is the token that Wake leaves and Park takes.
	woken atomic.Bool
	// over is stored when the task has ended, for calls that come too late.
	over atomic.Bool
}

// reason says what a task waits for.
type reason uint8

const (
	forTickets reason = iota
	forTime
	forWake
	forTask
	forCall
)

func newTask(e *Executor, name string, fn func(*Task) error, level Level) *Task {
	return &Task{e: e, name: name, fn: fn, level: level, timer: -1}
}

// Name returns the name that the task was given.
func (t *Task) Name() string { return t.name }

// Executor returns the executor that runs the task.
func (t *Task) Executor() *Executor { return t.e }

// Level returns the task's level.
func (t *Task) Level() Level { return t.level }

// SetLevel changes the task's level from its next slice on. It refuses what is no
// level with ErrInvalidConfig.
func (t *Task) SetLevel(l Level) error {
	if l >= levels {
		return port.NewError(port.InvalidConfig, "level", fmt.Sprint(uint8(l)), "Latency or Background")
	}
	if err := t.own("SetLevel"); err != nil {
		return err
	}
	t.level = l
	return nil
}

// Context returns a context that ends when the tasks are cancelled, for calls that
// take one. Within Shield it does not end.
func (t *Task) Context() context.Context {
	if t.shields > 0 {
		return context.WithoutCancel(t.e.ctx)
	}
	return t.e.ctx
}

// Now reads the clock of the executor: that of the reactor's host.
func (t *Task) Now() port.Time { return t.e.clock.Now() }

// SliceLeft returns what is left of the slice that runs, for work that cuts itself:
// none and less say that it is time to yield. See [Config.Slice]. It reads the clock.
func (t *Task) SliceLeft() time.Duration {
	return t.e.cfg.Slice - t.e.clock.Now().Sub(t.began)
}

// own makes sure that it is t's own function that calls: else it panics, since the
// caller takes the thread for its own and cannot go on, or returns ErrClosed when t
// has ended.
func (t *Task) own(method string) error {
	now := t.e.current.Load()
	if now == t {
		return nil
	}
	if t.over.Load() {
		return port.NewError(port.Closed, "task "+t.name)
	}
	who := "no task runs: the caller is a goroutine of its own"
	if now != nil {
		who = fmt.Sprintf("task %q runs", now.name)
	}
	_, file, line, _ := runtime.Caller(2)
	panic(fmt.Sprintf("fill: %s of task %q called at %s:%d while %s; a task's methods belong to its own function",
		method, t.name, file, line, who))
}

// Yield lets other ready tasks run, and the words be looked at: who waited for one
// that is reached goes first. It returns the cause when the tasks are cancelled, else
// nil.
func (t *Task) Yield() error {
	if err := t.own("Yield"); err != nil {
		return err
	}
	t.requeue()
	return t.cancelled()
}

// requeue lets those run that are ready, and those that are when t's slice ends.
func (t *Task) requeue() {
	e := t.e
	t.state = ready
	e.end(t)
	e.attend(1)
	e.makeReady(t)
	t.pass()
}

// Shield runs fn, in which the cancellation of the tasks ends no wait: for the wait
// that must come before memory is freed which a device may still write.
func (t *Task) Shield(fn func()) {
	if err := t.own("Shield"); err != nil {
		return
	}
	t.shields++
	defer func() { t.shields-- }()
	fn()
}

// cancelled returns the cause when the tasks are, and t is not shielded. No shield
// holds once the reactor is closed.
func (t *Task) cancelled() error {
	if t.e.cause == nil || t.shields > 0 && !t.e.closed {
		return nil
	}
	t.ignored++
	if t.ignored == ignoredTooOften && t.e.cfg.Logger != nil {
		t.e.cfg.Logger.Warn("task was cancelled and goes on: return when a wait gives an error", "task", t.name)
	}
	return t.e.cause
}

// ignoredTooOften is how many waits a cancelled task may make without a warning.
const ignoredTooOften = 100

// enter begins a method that waits. It refuses when the tasks are cancelled, but
// lets the others run: a task that ignores the error must not keep them from
// unwinding.
func (t *Task) enter(method string) error {
	if err := t.own(method); err != nil {
		return err
	}
	err := t.cancelled()
	if err != nil {
		t.requeue()
	}
	return err
}

// wait gives the thread up until something makes the task ready, and returns the
// cause when that is the cancellation.
func (t *Task) wait(why reason) error {
	t.state, t.reason = waiting, why
	t.cut, t.expired = nil, false
	if t.callable() {
		t.e.wakeable++
	}
	t.e.end(t)
	t.e.attend(0)
	t.pass()
	return t.cut
}

// callable says that a call from outside can end t's wait.
func (t *Task) callable() bool { return t.reason == forCall || t.reason == forWake && t.handed }

// pass returns when the task is the next to go on. It stands in a ready queue, or
// something registered will put it there. As long as no other task is ready it idles
// and attends itself, so going on takes no switch.
func (t *Task) pass() {
	e := t.e
	for e.ready.len() == 0 && !e.stuck() {
		e.idle()
		e.attend(0)
	}
	if e.ready.peek() != t {
		t.worker.yield(struct{}{})
		return
	}
	e.ready.pop()
	e.begin(t)
}

// run is the whole life of a task, on its coroutine.
func (t *Task) run() {
	defer t.contain()
	t.err = t.fn(t)
	t.returned = true
}

// contain makes a panic the task's error.
func (t *Task) contain() {
	if !t.returned {
		t.err = panicked(recover())
	}
	t.e.end(t)
	t.state = ended
}
