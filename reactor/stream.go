package reactor

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"gpureactor/deadline"
	"gpureactor/port"
	"gpureactor/waitplan"
)

// A Stream is a registered source. Its methods may be called from any goroutine.
type Stream struct {
	// The reactor's mutex guards this.
	ticket port.Ticket // of the head, when there is one
	due    port.Time   // when the wait's next step is
	kind   idleKind    // how the wait would have the holder idle
	index  int         // in the reactor's active list, -1 outside
	missed uint64      // the park that did not look at the word

	r      *Reactor
	src    port.Source
	peeker port.Peeker // nil when the device stores the word
	domain *port.Domain
	word   port.Word
	noWord bool // parks become polls
	bands  waitplan.Bands
	plans  []waitplan.Plan // one for each band
	probe  func()          // method values, made once
	block  func()

	// The reactor's mutex guards what follows.
	head, tail *Future // pending, in rising order of their targets
	wait       waitplan.Wait
	begun      bool   // wait is that of the head
	queued     bool   // the head was reached before its wait had begun
	told       bool   // the source was told something
	retired    uint64 // the source knows that it came so far

	querying, blocking bool   // a call of the kind is out
	confirms           bool   // the query out began behind the word of the head
	queryTo, blockTo   uint64 // the target that the call out covers
	users              int    // calls out
	released           bool
	// dropped is written under the mutex; a mark reads it without.
	dropped atomic.Bool
	// spare is a future that is not in use, kept for the next one-shot wait.
	spare atomic.Pointer[Future]

	nextQuery, nextBlock, nextRelease *Stream // in jobs
}

// Register adds a source and keeps its word's memory valid until Unregister or
// Close. It refuses nil, a closed source (ErrClosed), one that is registered
// already, a word that is not valid, and under Strict a source that the
// configured plans need a device word of and that has none. It asks the driver
// nothing and does not block.
func (r *Reactor) Register(src port.Source) (*Stream, error) {
	if src == nil {
		return nil, port.NewError(port.InvalidSource, "nil")
	}
	s := &Stream{r: r, src: src, index: -1}
	s.probe, s.block = s.runProbe, s.runBlock
	if err := s.resolve(); err != nil {
		return nil, err
	}
	if err := src.Acquire(); err != nil {
		return nil, err
	}
	s.word, s.domain = src.Word(), src.Domain()
	if err := r.add(s); err != nil {
		src.Release()
		return nil, err
	}
	return s, nil
}

// resolve settles which plans run on this source and this host.
func (s *Stream) resolve() error {
	why := s.r.host.Info().NoWordWait
	if p, ok := s.src.(port.Peeker); ok {
		s.peeker = p
		why = "the source has no word that its device stores"
	}
	s.noWord = why != ""
	bands, err := s.r.resolve(why)
	if err != nil {
		return err
	}
	s.bands = bands
	for i := range bands.Len() {
		_, plan := bands.Band(i)
		s.plans = append(s.plans, plan)
	}
	return nil
}

func (r *Reactor) add(s *Stream) error {
	if !s.word.Valid() || s.domain == nil {
		return port.NewError(port.InvalidSource, "it has no word or no domain")
	}
	r.lock()
	defer r.mu.Unlock()
	if r.closed {
		return port.NewError(port.Closed, "reactor")
	}
	if r.streams[s.word] != nil {
		return port.NewError(port.InvalidSource, "it is registered already")
	}
	r.streams[s.word] = s
	return nil
}

// Source returns the source that was registered.
func (s *Stream) Source() port.Source { return s.src }

// Unregister fails the stream's pending waits with ErrClosed and lets go of the
// source: at once, or when a driver call or a park that looks at it has ended. A
// second Unregister does nothing and returns nil.
func (s *Stream) Unregister() error {
	r := s.r
	r.lock()
	s.abandon(port.NewError(port.Closed, "registration"))
	r.drop(s)
	r.wakeHolder()
	r.finishJobs()
	return nil
}

// drop forgets s. The mutex is held and nothing is pending on s.
func (r *Reactor) drop(s *Stream) {
	if s.dropped.Load() {
		return
	}
	s.dropped.Store(true)
	delete(r.streams, s.word)
	s.releaseUnused()
}

// Submit marks the stream and returns the future of that ticket. It fails as Mark
// does, and with ErrClosed when stream or reactor is closed.
func (s *Stream) Submit(point string) (*Future, error) {
	t, err := s.mark()
	if err != nil {
		return nil, err
	}
	return s.Watch(t, Options{Point: point})
}

// mark marks the stream, unless nobody could watch the ticket: a refused call
// queues nothing.
func (s *Stream) mark() (port.Ticket, error) {
	if s.dropped.Load() {
		return port.Ticket{}, port.NewError(port.Closed, "registration")
	}
	return s.src.Mark()
}

// Watch returns a future for a ticket of this stream's, marked before. A ticket
// of another word is refused with ErrForeign, an invalid plan with its error.
func (s *Stream) Watch(t port.Ticket, o Options) (*Future, error) {
	f := new(Future)
	if err := s.WatchInto(f, t, o); err != nil {
		return nil, err
	}
	return f, nil
}

// WatchInto is Watch into memory of the caller's: it allocates nothing. A pending
// future is refused with port.FutureBusy.
func (s *Stream) WatchInto(f *Future, t port.Ticket, o Options) error {
	if err := s.admit(f, t, o); err != nil {
		return err
	}
	r := s.r
	r.lock()
	if err := s.start(f, t, o); err != nil {
		r.mu.Unlock()
		return err
	}
	s.enter(f)
	r.ensureHolder()
	r.finishJobs()
	return nil
}

// admit checks what needs no lock.
func (s *Stream) admit(f *Future, t port.Ticket, o Options) error {
	switch {
	case !t.Valid():
		return port.NewError(port.InvalidTicket, "the zero ticket")
	case t.Word() != s.word:
		return port.NewError(port.Foreign, t.String(), "another stream", "this one")
	case f == nil:
		return port.NewError(port.InvalidConfig, "future", "nil", "a future")
	case o.Plan != nil:
		return o.Plan.Validate()
	}
	return nil
}

// start makes f pending. The mutex is held.
func (s *Stream) start(f *Future, t port.Ticket, o Options) error {
	switch {
	case s.r.closed:
		return port.NewError(port.Closed, "reactor")
	case s.dropped.Load():
		return port.NewError(port.Closed, "registration")
	case f.state.Load() == pending:
		return port.NewError(port.FutureBusy)
	}
	f.stream, f.target, f.start = s, t.Target(), s.r.host.Now()
	f.extra, f.err, f.report, f.queue, f.pooled = nil, nil, waitplan.Report{}, nil, false
	f.plan = o.Plan
	if f.plan == nil {
		f.plan = s.plan()
	}
	f.point = nil
	if f.plan.Predict {
		f.point = s.r.points.Point(o.Point)
	}
	s.r.pending++
	s.r.stats.Submitted++
	f.state.Store(pending)
	return nil
}

// plan returns the configured plan for the rows of the current step.
func (s *Stream) plan() *waitplan.Plan {
	var rows uint32
	if s.r.cfg.Rows != nil {
		rows = s.r.cfg.Rows.Current()
	}
	return &s.plans[s.bands.Index(rows)]
}

// enter takes the first look, and else puts f in its place. The mutex is held.
func (s *Stream) enter(f *Future) {
	if v := s.word.Load(); port.Reached(v, f.target) && s.mayEndAtOnce(f, v) {
		s.endAtOnce(f, v)
		return
	}
	s.insert(f)
	if s.head == f {
		s.missPark()
		s.restart(f.start)
		s.r.notify(s)
	}
}

// mayEndAtOnce says that a reached word alone ends f: its plan wants no driver's
// word beside it, and nothing that was reached before it is still held up by that.
func (s *Stream) mayEndAtOnce(f *Future, v uint64) bool {
	if f.plan.Park == waitplan.Block || f.plan.Confirm {
		return false
	}
	return s.head == nil || !port.Reached(v, s.head.target)
}

// endAtOnce ends f, whose target the word had reached before it was watched.
func (s *Stream) endAtOnce(f *Future, v uint64) {
	f.report = waitplan.Report{Kind: waitplan.Immediate, Bound: waitplan.Exact}
	f.report.Waited = s.r.host.Now().Sub(f.start)
	f.report.Residual = f.report.Waited
	s.learn(f)
	s.retire(v, nil)
	s.r.stats.ended(&f.report)
	s.r.fire(f)
}

// retire tells the source how far it has come, once for each step forward.
func (s *Stream) retire(upTo uint64, err error) {
	if s.told && port.Reached(s.retired, upTo) {
		return
	}
	s.retired, s.told = upTo, true
	s.src.Retire(upTo, err)
}

var oneShots = sync.Pool{New: func() any { return new(Future) }}

// oneShot returns a future that is not in use: the stream's own, mostly.
func (s *Stream) oneShot() *Future {
	if f := s.spare.Swap(nil); f != nil {
		return f
	}
	return oneShots.Get().(*Future)
}

// recycle takes a future back.
func (s *Stream) recycle(f *Future) {
	if !s.spare.CompareAndSwap(nil, f) {
		oneShots.Put(f)
	}
}

// Await marks the stream and waits for that ticket. It allocates nothing in
// steady state. Ending ctx ends the wait and forgets it; the error is the cause
// of ctx then. A Report comes with success only.
func (s *Stream) Await(ctx context.Context, point string) (waitplan.Report, error) {
	t, err := s.mark()
	if err != nil {
		return waitplan.Report{}, err
	}
	return s.AwaitTicket(ctx, t, Options{Point: point})
}

// AwaitTicket waits for a ticket of this stream's, marked before. See [Stream.Await]
// and [Stream.Watch].
func (s *Stream) AwaitTicket(ctx context.Context, t port.Ticket, o Options) (waitplan.Report, error) {
	f := s.oneShot()
	if err := s.admit(f, t, o); err != nil {
		s.recycle(f)
		return waitplan.Report{}, err
	}
	r := s.r
	r.lock()
	if err := s.start(f, t, o); err != nil {
		r.mu.Unlock()
		s.recycle(f)
		return waitplan.Report{}, err
	}
	s.enter(f)
	err := s.awaitEntered(ctx, f)
	report := f.report
	s.recycle(f)
	return report, err
}

// awaitEntered waits for a future that nobody else knows, and forgets it when ctx
// ends first. The mutex is held on entry and free on return.
func (s *Stream) awaitEntered(ctx context.Context, f *Future) error {
	r := s.r
	if !r.jobs.empty() {
		r.finishJobs()
		r.lock()
	}
	err := r.await(ctx, f)
	if f.Ready() {
		return f.err
	}
	r.lock()
	if !f.Ready() {
		r.stats.Cancelled++
		s.cancel(f, err)
	} else {
		err = f.err
	}
	r.finishJobs()
	return err
}

// Await finds the stream of a ticket and waits for it. A ticket of a word that is
// not registered here, so one of another reactor, is refused with ErrForeign.
func (r *Reactor) Await(ctx context.Context, t port.Ticket, o Options) (waitplan.Report, error) {
	s, err := r.Find(t)
	if err != nil {
		return waitplan.Report{}, err
	}
	return s.AwaitTicket(ctx, t, o)
}

// Watch finds the stream of a ticket and returns a future for it.
func (r *Reactor) Watch(t port.Ticket, o Options) (*Future, error) {
	s, err := r.Find(t)
	if err != nil {
		return nil, err
	}
	return s.Watch(t, o)
}

// Find returns the registered stream whose ticket t is, else ErrForeign.
func (r *Reactor) Find(t port.Ticket) (*Stream, error) {
	r.lock()
	defer r.mu.Unlock()
	return r.find(t)
}

// find is Find with the mutex held.
func (r *Reactor) find(t port.Ticket) (*Stream, error) {
	if !t.Valid() {
		return nil, port.NewError(port.InvalidTicket, "the zero ticket")
	}
	if s := r.streams[t.Word()]; s != nil {
		return s, nil
	}
	return nil, port.NewError(port.Foreign, t.String(), "no stream registered here", "this reactor")
}

// predicted returns what the estimator expects of f's wait, 0 for nothing.
func (f *Future) predicted() time.Duration {
	if f.point == nil {
		return 0
	}
	d, _ := f.point.Predicted()
	return d
}

// learn tells the estimator what the wait of f taught.
func (s *Stream) learn(f *Future) { observe(f.point, &f.plan.Deadline, &f.report) }

// observe tells a point, which may be nil, what a wait taught.
func observe(p *deadline.Point, rule *deadline.Rule, report *waitplan.Report) {
	if p == nil {
		return
	}
	if o, ok := report.Outcome(); ok {
		p.Observe(*rule, o)
	}
}
