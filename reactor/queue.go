package reactor

import (
	"gpureactor/port"
	"gpureactor/waitplan"
)

// A Completion is the end of a wait that was watched with a token.
type Completion struct {
	// Token is what Watch was given.
	Token uint64
	// Ticket was waited for.
	Ticket port.Ticket
	// Err is nil for success.
	Err error
	// Report tells how the wait went.
	Report waitplan.Report
}

// A Queue collects the ends of waits that are watched with a token, for a loop that
// runs on one goroutine, its owner, and idles in [Queue.Turn] when it has nothing
// else to do. Any number of queues, waiters and futures share a reactor: one of
// them holds the baton and the rest sleep. While the owner does other work nobody
// turns for it; the words then wait for its next Turn or Poll.
//
// Watch, WatchInto and Wake may be called from any goroutine, the rest only by the
// owner. A queue needs no Close.
type Queue struct {
	r *Reactor

	// The reactor's mutex guards what follows.
	ready chain
	woken bool // Wake was called since the last turn
	// asleep: the owner is among the sleepers, until bound.
	asleep bool
	bound  port.Time
	// owner is what the baton is offered to, and the owner sleeps on: it gets one
	// signal for each time it was among the sleepers.
	owner waiter
}

// NewQueue returns a queue on the reactor.
func (r *Reactor) NewQueue() *Queue {
	return &Queue{r: r, owner: waiter{signalled: make(chan struct{}, 1)}}
}

// Watch watches a ticket of any registered stream without a future: its end is
// handed out with the token. It refuses what [Reactor.Watch] does.
func (q *Queue) Watch(t port.Ticket, o Options, token uint64) error {
	f := oneShots.Get().(*Future)
	err := q.watch(f, t, o, token, true)
	if err != nil {
		oneShots.Put(f)
	}
	return err
}

// WatchInto is Watch into memory of the caller's, which is pending until the queue
// hands out its end; [Future.Cancel] ends it early, and that end is handed out too.
func (q *Queue) WatchInto(f *Future, t port.Ticket, o Options, token uint64) error {
	return q.watch(f, t, o, token, false)
}

func (q *Queue) watch(f *Future, t port.Ticket, o Options, token uint64, pooled bool) error {
	r := q.r
	r.lock()
	s, err := r.find(t)
	if err == nil {
		err = s.admit(f, t, o)
	}
	if err == nil {
		err = s.start(f, t, o)
	}
	if err != nil {
		r.mu.Unlock()
		return err
	}
	f.queue, f.token, f.pooled = q, token, pooled
	r.queued++
	s.enter(f)
	if q.ready.first != nil && r.baton.owner == q {
		r.wakeHolder()
	}
	r.ensureHolder()
	r.finishJobs()
	return nil
}

// Wake ends the owner's Turn, or the next one when none is under way.
func (q *Queue) Wake() {
	r := q.r
	r.lock()
	q.woken = true
	switch {
	case q.asleep:
		r.rouse(q)
	case r.baton.owner == q:
		r.wakeHolder()
	}
	r.mu.Unlock()
}

// A Took is what a turn or a poll of a queue brought.
type Took struct {
	// N is the number of completions written.
	N int
	// How the turn idled. An owner that slept while another turned has Slept.
	How Turned
	// Now is a reading of the clock from the end of the turn.
	Now port.Time
}

// Turn hands out what has ended, the earliest first. When nothing has, it makes a
// pass over the words, and when that brings nothing it idles: until the next step
// of a wait, a completion, bound or Wake, and hands out what the end of the idle
// brought. So it may bring nothing. It holds the baton meanwhile; while another
// does, the owner sleeps. It returns ErrClosed when the reactor is closed and all
// that failed by that was handed out. dst must not be empty.
func (q *Queue) Turn(bound port.Time, dst []Completion) (Took, error) {
	if len(dst) == 0 {
		return Took{}, port.NewError(port.InvalidConfig, "dst", "empty", "room for a completion")
	}
	r := q.r
	r.lock()
	for how := Woke; ; how = Slept {
		switch {
		case q.ready.first != nil || q.woken || how == Slept && r.host.Now() >= bound:
			q.woken = false
			return q.took(how, r.host.Now(), dst), nil
		case r.closed:
			r.mu.Unlock()
			return Took{}, port.NewError(port.Closed, "reactor")
		case !r.baton.held && r.baton.turners == 0:
			return q.turn(bound, dst), nil
		}
		q.sleep(bound)
	}
}

// Poll looks at the words, unless the holder of the baton does, and hands out what
// has ended. It does not idle.
func (q *Queue) Poll(dst []Completion) Took {
	r := q.r
	r.lock()
	now := r.host.Now()
	if q.ready.first == nil && !r.baton.held && r.baton.turners == 0 && !r.closed {
		r.forgetOldLook(now)
		to := r.harvest(now, mostReadied)
		r.looked(to.kind, now)
		r.outsideIfNeeded()
	}
	return q.took(Woke, now, dst)
}

// turn takes the baton for one pass and, when that brings nothing, one idle. The
// mutex is held on entry and free on return.
func (q *Queue) turn(bound port.Time, dst []Completion) Took {
	r := q.r
	r.hold()
	r.baton.owner = q
	r.forgetOldLook(r.host.Now())
	next, idles := r.pass(nil)
	if !idles || q.ready.first != nil {
		r.leave()
		return q.took(Woke, r.host.Now(), dst)
	}
	next.until = min(next.until, bound)
	if f := r.only(); f != nil && next.kind != sleeps && r.isAlone(f, q) {
		now, over := r.restAlone(f, next)
		if over {
			dst[0] = f.handOut()
			return Took{N: 1, How: Parked, Now: now}
		}
	} else {
		r.rest(next)
	}
	r.harvestHit()
	r.outsideIfNeeded()
	now := r.host.Now()
	r.leave()
	r.looked(next.kind, now)
	return q.took(next.kind.turned(), now, dst)
}

// only returns the one future that is pending, nil when there are none or several.
func (r *Reactor) only() *Future {
	if len(r.active) != 1 {
		return nil
	}
	return r.active[0].stream.head
}

// took hands out what is ready. The mutex is held on entry and free on return.
func (q *Queue) took(how Turned, now port.Time, dst []Completion) Took {
	r := q.r
	n := 0
	for n < len(dst) {
		f := q.ready.take()
		if f == nil {
			break
		}
		dst[n] = f.handOut()
		n++
	}
	if how == Slept && !r.baton.held {
		r.ensureHolder() // the baton may have been offered to this owner
	}
	if r.jobs.empty() {
		r.mu.Unlock()
	} else {
		r.finishJobs()
	}
	return Took{N: n, How: how, Now: now}
}

// handOut gives f back to whoever owns its memory.
func (f *Future) handOut() Completion {
	c := Completion{Token: f.token, Ticket: f.Ticket(), Err: f.err, Report: f.report}
	if f.pooled {
		oneShots.Put(f)
	}
	return c
}

// add takes in a future that has ended.
func (q *Queue) add(f *Future) {
	q.r.queued--
	q.ready.add(f)
	if q.asleep {
		q.r.rouse(q)
	}
}

// sleep has the owner sleep until it is roused. The mutex is held on entry and
// return.
func (q *Queue) sleep(bound port.Time) {
	r := q.r
	q.asleep, q.bound = true, bound
	r.sleepers = append(r.sleepers, q)
	if bound < r.idle.until {
		r.wakeHolder()
	}
	r.ensureHolder()
	r.mu.Unlock()
	<-q.owner.signalled
	r.lock()
	if r.baton.offered == &q.owner {
		r.baton.offered = nil
	}
}

// rouse wakes a sleeping owner.
func (r *Reactor) rouse(q *Queue) {
	for i, s := range r.sleepers {
		if s == q {
			last := len(r.sleepers) - 1
			r.sleepers[i], r.sleepers[last] = r.sleepers[last], nil
			r.sleepers = r.sleepers[:last]
			break
		}
	}
	q.asleep = false
	q.owner.signal()
	r.readied++
}

func (r *Reactor) rouseAll() {
	for len(r.sleepers) > 0 {
		r.rouse(r.sleepers[0])
	}
}

// rouseDue wakes the owners whose bound has come, and returns when the next one's
// does.
func (r *Reactor) rouseDue(now port.Time) port.Time {
	soonest := port.Forever
	for i := 0; i < len(r.sleepers); {
		if q := r.sleepers[i]; now >= q.bound {
			r.rouse(q)
		} else {
			soonest = min(soonest, q.bound)
			i++
		}
	}
	return soonest
}

// offerSleeper offers the baton to the owner that began to sleep last.
func (r *Reactor) offerSleeper() {
	q := r.sleepers[len(r.sleepers)-1]
	r.baton.offered = &q.owner
	r.stats.Handovers++
	r.rouse(q)
}
