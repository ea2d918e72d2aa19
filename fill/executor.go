package fill

import (
	"context"
	"sync"
	"sync/atomic"

	"gpureactor/port"
	"gpureactor/reactor"
)

// An Executor runs tasks on the goroutine that calls [Executor.Run]. Go,
// GoBackground and Stats may be called from any goroutine. Any number of executors
// may share a reactor.
type Executor struct {
	cfg   Config
	clock port.Clock
	queue *reactor.Queue
	inbox inbox
	// stage is read and written with CompareAndSwap: unstarted -> running -> over.
	stage atomic.Int32
	// current is the task that has the thread, nil between slices. Only Run's
	// goroutine stores it; who calls a method of a task compares.
	current atomic.Pointer[Task]
	// asked: the context of Run has ended, and the tasks were not told yet.
	asked atomic.Bool

	// What follows belongs to Run's goroutine.
	outer   context.Context // that of Run
	ctx     context.Context // that of the tasks
	cancel  context.CancelCauseFunc
	onStack *Task // whose coroutine Run's goroutine switched to last
	cause   error // why the tasks were cancelled, nil while they are not
	closed  bool  // the reactor is

	ready     readyTasks
	timers    timers
	all       tasks // that have not ended
	wakeable  int   // of those, the ones that wait for a call from outside
	waits     waits
	workers   workers
	done      [64]reactor.Completion
	now       port.Time // the last reading of the clock
	lookedAt  port.Time
	roundLeft int    // slices until the next look
	order     uint64 // counts timers
	failures  failures
	stats     Stats

	mu        sync.Mutex // guards published
	published Stats
}

// The stages of an executor.
const (
	unstarted int32 = iota
	running
	over
)

// New returns an executor on the reactor. It starts nothing. It refuses a nil
// reactor and an invalid config with ErrInvalidConfig.
func New(r *reactor.Reactor, cfg Config) (*Executor, error) {
	if r == nil {
		return nil, port.NewError(port.InvalidConfig, "reactor", "nil", "a reactor")
	}
	cfg, err := cfg.filled()
	if err != nil {
		return nil, err
	}
	e := &Executor{cfg: cfg, clock: r.Host(), queue: r.NewQueue()}
	e.ready.most = cfg.InRow
	e.inbox.poke = make(chan struct{}, 1)
	return e, nil
}

// Go adds a task of the latency level, before Run or during it; name is for errors
// and figures, and need not be unique. It refuses a nil function with
// ErrInvalidConfig, and with ErrClosed when Run has ended or its tasks are cancelled.
func (e *Executor) Go(name string, fn func(*Task) error) error { return e.post(name, fn, Latency) }

// GoBackground is Go at the background level.
func (e *Executor) GoBackground(name string, fn func(*Task) error) error {
	return e.post(name, fn, Background)
}

func (e *Executor) post(name string, fn func(*Task) error, level Level) error {
	if fn == nil {
		return errNilFunction(name)
	}
	return e.inbox.post(e, letter{newTask(e, name, fn, level), brought})
}

func errNilFunction(name string) error {
	return port.NewError(port.InvalidConfig, "function of task "+name, "nil", "a function")
}

// Run runs the tasks on the calling goroutine until all have ended, and returns what
// was counted. The error is nil when every task returned nil and none was cancelled,
// else a [*RunError]. An executor runs once: a call while it runs, from a task or
// another goroutine, is refused with port.ExecutorBusy, a later one with ErrClosed.
func (e *Executor) Run(ctx context.Context) (Stats, error) {
	if !e.stage.CompareAndSwap(unstarted, running) {
		return Stats{}, e.refuse()
	}
	e.outer = ctx
	e.ctx, e.cancel = context.WithCancelCause(ctx)
	if ctx.Err() != nil {
		e.ask() // before the first task runs
	}
	stop := context.AfterFunc(ctx, e.ask)
	defer func() {
		stop()
		e.unwind()
	}()
	e.now = e.clock.Now()
	e.lookedAt = e.now
	e.loop()
	return e.final(), e.failures.err(e.cause)
}

func (e *Executor) refuse() error {
	if e.stage.Load() == running {
		return port.NewError(port.ExecutorBusy)
	}
	return port.NewError(port.Closed, "executor")
}

// ask has the tasks cancelled. It is called when the context ends, from anywhere.
func (e *Executor) ask() {
	e.asked.Store(true)
	e.inbox.any.Store(true)
	e.inbox.rouse(e)
}

// loop runs until nothing is left.
func (e *Executor) loop() {
	for {
		e.attend(0)
		switch {
		case e.ready.len() > 0:
			e.resume(e.ready.pop())
		case e.all.len() == 0 && e.mayEnd():
			return
		case e.stuck():
			e.stall()
		default:
			e.idle()
		}
	}
}

// mayEnd says that no task can come any more, and sees to it.
func (e *Executor) mayEnd() bool {
	return (!e.cfg.Serve || e.cause != nil) && e.inbox.close(nil)
}

// resume lets a task run until it gives the thread up.
func (e *Executor) resume(t *Task) {
	if t.worker == nil {
		t.worker = e.workers.take()
		t.worker.task = t
	}
	w := t.worker
	e.onStack = t
	e.begin(t)
	w.next()
	if t.state == ended {
		e.onStack = nil
		e.workers.give(w)
		e.finish(t)
	}
}

// unwind ends Run. When that ends early, since a task ended the goroutine, the tasks
// that are left are brought to their end first.
func (e *Executor) unwind() {
	defer func() {
		if e.all.len() > 0 {
			e.unwind() // one more task ended the goroutine
		}
	}()
	if e.all.len() > 0 {
		if t := e.onStack; t != nil && t.state == ended {
			e.onStack = nil
			e.finish(t)
		}
		e.cancelAll(errGoexit)
		e.loop()
	}
	e.inbox.seal()
	e.drain()
	e.workers.stop()
	e.cancel(nil)
	e.stage.Store(over)
}

// drain takes back the waits that nobody wants any more; all of them have ended.
func (e *Executor) drain() {
	for e.waits.out > 0 {
		took := e.queue.Poll(e.done[:])
		if took.N == 0 {
			panic("BUG: fill: a wait is pending although its task has ended")
		}
		e.deliver(took.N)
	}
}
