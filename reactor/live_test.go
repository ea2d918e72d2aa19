package reactor_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"gpureactor/hosts/std"
	"gpureactor/internal/hammer"
	"gpureactor/internal/testmain"
	"gpureactor/port"
	"gpureactor/reactor"
	"gpureactor/waitplan"
)

func TestMain(m *testing.M) { testmain.Main(m) }

// liveReactor is a reactor in real time.
func liveReactor(t testing.TB, plan string) *reactor.Reactor {
	t.Helper()
	h := std.New(std.Config{})
	r, err := reactor.New(reactor.Config{Host: h, Plans: bands(t, plan)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Close()
		h.Close()
	})
	return r
}

func liveStream(t testing.TB, r *reactor.Reactor, src port.Source) *reactor.Stream {
	t.Helper()
	s, err := r.Register(src)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// selfStoring is a source whose device is as fast as can be: the store lands with
// the mark.
type selfStoring struct{ *fakeSource }

func (s selfStoring) Mark() (port.Ticket, error) {
	t, err := s.fakeSource.Mark()
	s.word.Raise(t.Target())
	return t, err
}

// TestEveryWaiterOfOneFutureIsWoken waits in all the ways there are.
func TestEveryWaiterOfOneFutureIsWoken(t *testing.T) {
	for _, plan := range []string{pollPlan, flagPlan, predictPlan} {
		r := liveReactor(t, plan)
		src := newSource(0)
		s := liveStream(t, r, src)
		for n := range uint64(200) {
			f, err := s.Submit("p")
			if err != nil {
				t.Fatal(err)
			}
			var called atomic.Int32
			f.OnDone(func(*reactor.Future) { called.Add(1) })
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					if err := f.Wait(context.Background()); err != nil {
						t.Error(err)
					}
				})
			}
			all.Go(func() { <-f.Done() })
			runtime.Gosched()
			src.word.Store(n + 1)
			all.Wait()
			<-f.Done()
			late := 0
			f.OnDone(func(*reactor.Future) { late++ })
			if late != 1 || f.Err() != nil {
				t.Fatalf("late OnDone ran %d times, %v", late, f.Err())
			}
			for called.Load() == 0 {
				runtime.Gosched()
			}
		}
	}
}

// TestBackgroundTurnsWhenNobodyWaits selects on a future without waiting.
func TestBackgroundTurnsWhenNobodyWaits(t *testing.T) {
	r := liveReactor(t, predictPlan)
	src := newSource(0)
	s := liveStream(t, r, src)
	for n := range uint64(100) {
		f, err := s.Submit("p")
		if err != nil {
			t.Fatal(err)
		}
		go src.word.Store(n + 1)
		<-f.Done()
	}
}

// TestWaiterTakesTheBatonFromTheBackground has the background sleep on a far step.
func TestWaiterTakesTheBatonFromTheBackground(t *testing.T) {
	r := liveReactor(t, pollPlan)
	never, src := newSource(0), newSource(1)
	if _, err := liveStream(t, r, never).Submit("never"); err != nil {
		t.Fatal(err)
	}
	s := liveStream(t, r, src)
	for n := range uint64(100) {
		f, err := s.Submit("p")
		if err != nil {
			t.Fatal(err)
		}
		go src.word.Store(n + 1)
		if err := f.Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTurnGoesBeforeWaiters turns the loop beside goroutines that wait.
func TestTurnGoesBeforeWaiters(t *testing.T) {
	r := liveReactor(t, flagPlan)
	never := newSource(0)
	s := liveStream(t, r, never)
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, err := s.Await(ctx, "p"); !errors.Is(err, context.Canceled) {
				t.Errorf("Await = %v", err)
			}
		})
	}
	for range 200 {
		if _, err := r.Turn(r.Host().Now().Add(50 * us)); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	all.Wait()
}

// TestCloseEndsEveryWait closes under waiters of all kinds.
func TestCloseEndsEveryWait(t *testing.T) {
	for _, plan := range []string{pollPlan, flagPlan, blockPlan} {
		r := liveReactor(t, plan)
		var all sync.WaitGroup
		for i := range 8 {
			src := newSource(i)
			src.block = func(ctx context.Context, _ port.Ticket) error {
				<-ctx.Done()
				return context.Cause(ctx)
			}
			s := liveStream(t, r, src)
			all.Go(func() {
				if _, err := s.Await(context.Background(), "p"); !errors.Is(err, port.ErrClosed) {
					t.Errorf("%s: %v", plan, err)
				}
			})
			f, err := s.Submit("p")
			if err != nil {
				t.Fatal(err)
			}
			all.Go(func() { <-f.Done() })
		}
		for r.Stats().Pending < 16 {
			runtime.Gosched()
		}
		r.Close()
		all.Wait()
	}
}

// TestCancelledHoldersPassTheBatonOn cancels whoever waits, over and over, while
// one wait must still come to its end.
func TestCancelledHoldersPassTheBatonOn(t *testing.T) {
	r := liveReactor(t, flagPlan)
	src, never := newSource(0), newSource(1)
	s, sn := liveStream(t, r, src), liveStream(t, r, never)
	pending, err := sn.Submit("never")
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				ctx, cancel := context.WithCancel(context.Background())
				go cancel()
				if i%2 == 0 {
					sn.Await(ctx, "never")
				} else {
					pending.Wait(ctx)
				}
			}
		})
	}
	for n := range uint64(2000) {
		go func() {
			runtime.Gosched()
			src.word.Raise(n + 1)
		}()
		if _, err := s.Await(context.Background(), "p"); err != nil {
			t.Error(err)
			break
		}
	}
	close(stop)
	all.Wait()
}

// hammered is a source whose device goroutine stores marks a moment later, now and
// then loses a store, and says idle when it has caught up.
type hammered struct {
	*fakeSource
	next atomic.Uint64 // marked so far
	done atomic.Uint64 // work finished, stored or lost
}

func (h *hammered) Mark() (port.Ticket, error) { return h.ticket(h.next.Add(1)), nil }

func (h *hammered) Status() (port.Status, error) {
	marked := h.next.Load()
	if h.done.Load() >= marked {
		return port.StatusIdle, nil
	}
	return port.StatusBusy, nil
}

// run is the device: one step of a stream.
func (h *hammered) run(lose bool) {
	n := h.next.Load()
	h.done.Store(n)
	if !lose {
		h.word.Raise(n)
	}
}

// TestHammer marks and waits a million times from sixteen goroutines in every way
// there is, with random cancels and lost stores: each wait ends once, rightly.
func TestHammer(t *testing.T) {
	r := liveReactor(t, flagPlan)
	sources := make([]*hammered, 6)
	streams := make([]*reactor.Stream, len(sources))
	for i := range sources {
		sources[i] = &hammered{fakeSource: newSource(i)}
		streams[i] = liveStream(t, r, sources[i])
	}
	stop := make(chan struct{})
	var device sync.WaitGroup
	device.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			sources[n%len(sources)].run(n%257 == 0)
			runtime.Gosched()
		}
	})
	var once atomic.Int64
	hammer.Run(t, hammer.Config{Goroutines: 16, Rounds: 62500, Noise: 0.02}, func(w *hammer.Worker) error {
		i := w.Rand.IntN(len(streams))
		return hammerOnce(w, streams[i], sources[i], &once)
	})
	close(stop)
	device.Wait()
	st := r.Stats()
	if st.Pending != 0 || st.Submitted != st.Ended || once.Load() != 0 {
		t.Fatalf("%+v, functions outstanding %d", st, once.Load())
	}
	if sum := st.Immediate + st.Late + st.Parked + st.Blocked + st.Failed + st.Cancelled; sum != st.Ended {
		t.Fatalf("%d ends by kind of %d", sum, st.Ended)
	}
}

// hammerOnce is one wait, in one of the ways.
func hammerOnce(w *hammer.Worker, s *reactor.Stream, src *hammered, once *atomic.Int64) error {
	ctx, cancel := context.WithCancel(w.Context())
	defer cancel()
	way := w.Rand.IntN(6)
	if way%2 == 1 {
		go func() {
			runtime.Gosched()
			cancel()
		}()
	}
	if way < 2 {
		tk, _ := src.Mark()
		rep, err := s.AwaitTicket(ctx, tk, reactor.Options{})
		return checkEnd(tk, rep, err)
	}
	f, err := s.Submit("p")
	if err != nil {
		return err
	}
	once.Add(1)
	f.OnDone(func(*reactor.Future) { once.Add(-1) })
	switch way {
	case 2:
		<-f.Done()
	case 3:
		if err := f.Wait(ctx); err != nil {
			f.Cancel()
		}
	case 4:
		return checkEnd(f.Ticket(), f.Report(), f.Wait(ctx))
	case 5:
		f.Cancel()
	}
	return checkEnd(f.Ticket(), f.Report(), f.Err())
}

// checkEnd says what is wrong with the end of a wait.
func checkEnd(tk port.Ticket, rep waitplan.Report, err error) error {
	switch {
	case err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, port.ErrCancelled):
		return err
	case err == nil && rep.Kind != 0 && !rep.LostStore && !tk.Reached():
		return errors.New("success without the word: " + tk.String())
	}
	return nil
}

func TestAwaitAllocatesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, plan := range []string{pollPlan, flagPlan, predictPlan} {
		r := liveReactor(t, plan)
		src := newSource(0)
		s := liveStream(t, r, src)
		var f reactor.Future
		n := uint64(0)
		await := func() {
			n++
			if err := s.WatchInto(&f, src.ticket(n), reactor.Options{Point: "p"}); err != nil {
				t.Fatal(err)
			}
			src.word.Store(n)
			if err := f.Wait(ctx); err != nil {
				t.Fatal(err)
			}
			n++
			tk := src.ticket(n)
			go func() { src.word.Store(tk.Target()) }() // counted: one closure
			if _, err := s.AwaitTicket(ctx, tk, reactor.Options{Point: "p"}); err != nil {
				t.Fatal(err)
			}
		}
		await()
		if got := testing.AllocsPerRun(200, await); got > 1 {
			t.Errorf("%s: %v allocations in two awaits, one is the test's own", plan, got)
		}
	}
}
