package fill

import (
	"time"

	"gpureactor/port"
	"gpureactor/reactor"
)

// begin gives the thread to t.
func (e *Executor) begin(t *Task) {
	e.stats.Polls++
	e.roundLeft--
	t.state = active
	t.began = e.now
	e.current.Store(t)
}

// end takes the thread from t.
func (e *Executor) end(t *Task) {
	e.current.Store(nil)
	e.now = e.clock.Now()
	ran := e.now.Sub(t.began)
	e.stats.Busy += ran
	if ran > e.cfg.Slice {
		e.overran(t, ran)
	}
}

// overran counts a slice that was too long, and warns once for each task.
func (e *Executor) overran(t *Task, ran time.Duration) {
	e.stats.overran(t.name, ran)
	if t.warned || e.cfg.Logger == nil {
		return
	}
	t.warned = true
	e.cfg.Logger.Warn("task overran its slice: cut its work with Yield, or move it to Blocking",
		"task", t.name, "ran", ran, "slice", e.cfg.Slice)
}

// attend does what is due between two slices: letters, words, timers. About to be
// ready is a task that yields.
func (e *Executor) attend(aboutToBeReady int) {
	if e.inbox.any.Load() {
		e.receive()
	}
	late := e.timers.due(e.now)
	if e.waits.out > 0 && (late || e.ready.len()+aboutToBeReady > 0 && e.lookDue()) {
		e.look() // before a timer fires: a wait that has ended is not late
	}
	if late {
		e.fireTimers()
	}
}

// lookDue says that a round is over or that the words were not looked at for long.
// When nothing is ready the idle looks first, so there is no need.
func (e *Executor) lookDue() bool {
	return e.roundLeft <= 0 || e.now.Sub(e.lookedAt) >= e.cfg.Look
}

// look looks at the words without idling.
func (e *Executor) look() {
	e.stats.Looks++
	n := len(e.done)
	woke := false
	for n == len(e.done) {
		took := e.queue.Poll(e.done[:])
		n, e.now = took.N, took.Now
		woke = e.deliver(n) || woke
	}
	e.looked(woke)
}

func (e *Executor) looked(woke bool) {
	if woke {
		e.stats.Woke++
	}
	e.lookedAt = e.now
	e.roundLeft = max(1, e.ready.len())
}

// idle waits for what comes next: nothing is ready. It returns when something may
// be.
func (e *Executor) idle() {
	e.publish()
	if e.closed {
		<-e.inbox.poke // only calls from outside can come
		return
	}
	bound := port.Forever
	if len(e.timers) > 0 {
		bound = e.timers[0].until
	}
	if !e.inbox.beginIdle() {
		return
	}
	from := e.now
	took, err := e.queue.Turn(bound, e.done[:])
	e.inbox.endIdle()
	if err != nil {
		e.closed = true
		e.cancelAll(err)
		return
	}
	e.now = took.Now
	e.stats.idled(took.How, e.now.Sub(from))
	woke := e.deliver(took.N)
	e.looked(woke && took.How == reactor.Woke)
}
