package reactor_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"gpureactor/port"
	"gpureactor/reactor"
)

func TestQueueTurnIdlesToItsBoundOrItsWake(t *testing.T) {
	g := newRig(t, flagPlan)
	q, dst := g.r.NewQueue(), make([]reactor.Completion, 4)
	took, err := q.Turn(port.Time(3*ms), dst)
	if err != nil || took.N != 0 || took.How != reactor.Slept || took.Now != port.Time(3*ms) {
		t.Fatalf("to the bound: %+v, %v", took, err)
	}
	g.clock.At(port.Time(4*ms), q.Wake)
	took, err = q.Turn(port.Forever, dst)
	if err != nil || took.N != 0 || took.Now != port.Time(4*ms) {
		t.Fatalf("to the wake: %+v, %v", took, err)
	}
	q.Wake()
	took, err = q.Turn(port.Forever, dst)
	if err != nil || took.How != reactor.Woke || took.Now != port.Time(4*ms) {
		t.Fatalf("a wake from before was lost: %+v, %v", took, err)
	}
	if _, err := q.Turn(port.Forever, nil); !errors.Is(err, port.ErrInvalidConfig) {
		t.Fatalf("no room: %v", err)
	}
}

// The turn that idles hands out what the idle saw: no second call is needed.
func TestQueueTurnHandsOutWhatItsParkSaw(t *testing.T) {
	for _, others := range []int{0, 1} {
		g := newRig(t, flagPlan)
		src, far := newSource(0), newSource(1)
		g.register(src)
		g.register(far)
		q, dst := g.r.NewQueue(), make([]reactor.Completion, 4)
		for range others {
			q.Watch(far.ticket(1), reactor.Options{}, 2)
		}
		q.Watch(src.ticket(1), reactor.Options{}, 1)
		g.storeAt(50*us, src, 1)
		took, err := q.Turn(port.Forever, dst)
		if err != nil || took.N != 1 || took.How != reactor.Parked || dst[0].Token != 1 || took.Now != port.Time(50*us) {
			t.Fatalf("%d others: %+v, %v", others, took, err)
		}
		if st := g.r.Stats(); st.Ended != 1 || st.Pending != others {
			t.Fatalf("%d others: %d ended, %d pending", others, st.Ended, st.Pending)
		}
	}
}

func TestQueueHandsOutCancelledAndClosed(t *testing.T) {
	g := newRig(t, flagPlan)
	src := newSource(0)
	g.register(src)
	q, dst := g.r.NewQueue(), make([]reactor.Completion, 1)
	var f reactor.Future
	if err := q.WatchInto(&f, src.ticket(1), reactor.Options{}, 1); err != nil {
		t.Fatal(err)
	}
	if err := q.WatchInto(&f, src.ticket(2), reactor.Options{}, 2); !errors.Is(err, port.FutureBusy) {
		t.Fatalf("a pending future: %v", err)
	}
	q.Watch(src.ticket(2), reactor.Options{}, 2)
	f.Cancel()
	if took := q.Poll(dst); took.N != 1 || dst[0].Token != 1 || !errors.Is(dst[0].Err, port.ErrCancelled) {
		t.Fatalf("cancelled: %+v %+v", took, dst[0])
	}
	g.r.Close()
	if took, err := q.Turn(port.Forever, dst); err != nil || took.N != 1 || !errors.Is(dst[0].Err, port.ErrClosed) {
		t.Fatalf("what closing failed must be handed out first: %+v, %v, %+v", took, err, dst[0])
	}
	if _, err := q.Turn(port.Forever, dst); !errors.Is(err, port.ErrClosed) {
		t.Fatalf("then: %v", err)
	}
	if err := q.Watch(src.ticket(3), reactor.Options{}, 3); !errors.Is(err, port.ErrForeign) && !errors.Is(err, port.ErrClosed) {
		t.Fatalf("watch after close: %v", err)
	}
}

func TestQueueRefusesForeignTickets(t *testing.T) {
	g := newRig(t, flagPlan)
	q := g.r.NewQueue()
	if err := q.Watch(newSource(0).ticket(1), reactor.Options{}, 1); !errors.Is(err, port.ErrForeign) {
		t.Errorf("a stream that is not registered: %v", err)
	}
	if err := q.Watch(port.Ticket{}, reactor.Options{}, 1); !errors.Is(err, port.InvalidTicket) {
		t.Errorf("the zero ticket: %v", err)
	}
	if st := g.r.Stats(); st.Pending != 0 || st.Submitted != 0 {
		t.Errorf("a refused watch changed something: %+v", st)
	}
}

// Owners of queues, waiters, futures nobody waits for and a caller of Turn share one
// reactor, and each of them gets all of its own.
func TestQueuesAndWaitersShareTheReactor(t *testing.T) {
	r := liveReactor(t, predictPlan)
	const rounds = 500
	var all sync.WaitGroup
	device := func(src *fakeSource) func(uint64) {
		work := make(chan uint64, 1)
		all.Go(func() {
			for n := range work {
				src.word.Raise(n)
			}
		})
		return func(n uint64) {
			work <- n
			if n == rounds {
				close(work)
			}
		}
	}
	for slot := range 2 {
		src := newSource(slot)
		liveStream(t, r, src)
		start, q := device(src), r.NewQueue()
		all.Go(func() {
			dst := make([]reactor.Completion, 2)
			for n := uint64(1); n <= rounds; n++ {
				q.Watch(src.ticket(n), reactor.Options{Point: "q"}, n)
				start(n)
				for got := 0; got == 0; {
					took, err := q.Turn(port.Forever, dst)
					if err != nil {
						t.Error(err)
						return
					}
					if got = took.N; got > 1 || got == 1 && (dst[0].Token != n || dst[0].Err != nil) {
						t.Errorf("round %d: %d completions, %+v", n, got, dst[0])
					}
				}
			}
		})
	}
	for slot := 2; slot < 4; slot++ {
		src := newSource(slot)
		s, start := liveStream(t, r, src), device(src)
		all.Go(func() {
			for n := uint64(1); n <= rounds; n++ {
				f, err := s.Watch(src.ticket(n), reactor.Options{Point: "w"})
				if err != nil {
					t.Error(err)
					return
				}
				start(n)
				if slot == 2 {
					err = f.Wait(context.Background())
				} else {
					<-f.Done()
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	var stop atomic.Bool
	turning := make(chan struct{})
	go func() {
		defer close(turning)
		for !stop.Load() {
			r.Turn(r.Host().Now().Add(ms))
		}
	}()
	all.Wait()
	stop.Store(true)
	<-turning
}

// An owner that sleeps while another holds the baton is woken at its bound, and by
// Wake and Close.
func TestSleepingOwnerEnds(t *testing.T) {
	r := liveReactor(t, flagPlan)
	never := newSource(0)
	s := liveStream(t, r, never)
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { s.AwaitTicket(ctx, never.ticket(1), reactor.Options{}) })
	for r.Stats().Parks == 0 {
		runtime.Gosched()
	}
	q, dst := r.NewQueue(), make([]reactor.Completion, 1)
	bound := r.Host().Now().Add(2 * ms)
	for {
		took, err := q.Turn(bound, dst)
		if err != nil {
			t.Fatal(err)
		}
		if took.Now >= bound {
			break
		}
	}
	all.Go(q.Wake)
	if _, err := q.Turn(port.Forever, dst); err != nil {
		t.Fatal(err)
	}
	all.Go(func() { r.Close() })
	for {
		if _, err := q.Turn(port.Forever, dst); err != nil {
			break
		}
	}
	cancel()
	all.Wait()
}
