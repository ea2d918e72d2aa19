package reactor_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"gpureactor/port"
	"gpureactor/port/manual"
	"gpureactor/reactor"
	"gpureactor/waitplan"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
)

// The plan texts of the tests.
const (
	pollPlan    = "poll"
	blockPlan   = "block"
	flagPlan    = "flag:park_us=100,backstop_us=1000"
	predictPlan = flagPlan + "+predict:margin_us=150,min_sleep_us=20,max_sleep_us=50000,window=8"
)

// fakeSource is a stream whose stores, status and blocking wait a test writes out.
type fakeSource struct {
	word   port.Word
	domain *port.Domain

	mu       sync.Mutex
	marked   uint64
	status   func() (port.Status, error)
	block    func(ctx context.Context, t port.Ticket) error
	acquired int
	closed   bool
	retired  []retirement
	onRetire func(upTo uint64)
}

type retirement struct {
	upTo uint64
	err  error
}

func newSource(slot int) *fakeSource {
	s, err := port.NewSlot(slot)
	if err != nil {
		panic(err)
	}
	return &fakeSource{word: new(port.Line).Word(s), domain: port.NewDomain("fake")}
}

func (f *fakeSource) Word() port.Word             { return f.word }
func (f *fakeSource) Domain() *port.Domain        { return f.domain }
func (f *fakeSource) ticket(n uint64) port.Ticket { return port.NewTicket(f.word, n) }

func (f *fakeSource) Acquire() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return port.NewError(port.Closed, "fake stream")
	}
	f.acquired++
	return nil
}

func (f *fakeSource) Release() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.acquired--
}

func (f *fakeSource) held() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.acquired
}

func (f *fakeSource) Mark() (port.Ticket, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.marked++
	return f.ticket(f.marked), nil
}

func (f *fakeSource) Status() (port.Status, error) {
	f.mu.Lock()
	answer := f.status
	f.mu.Unlock()
	if answer == nil {
		return port.StatusBusy, nil
	}
	return answer()
}

func (f *fakeSource) answer(s port.Status, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status = func() (port.Status, error) { return s, err }
}

func (f *fakeSource) Block(ctx context.Context, t port.Ticket) error { return f.block(ctx, t) }

func (f *fakeSource) Retire(upTo uint64, err error) {
	f.mu.Lock()
	f.retired = append(f.retired, retirement{upTo, err})
	hook := f.onRetire
	f.mu.Unlock()
	if hook != nil {
		hook(upTo)
	}
}

func (f *fakeSource) retirements() []retirement {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]retirement(nil), f.retired...)
}

// rig is a reactor in virtual time that only the test turns.
type rig struct {
	t     *testing.T
	clock *manual.Clock
	host  *manual.Host
	r     *reactor.Reactor
}

// newRig makes a reactor on plan whose driver calls run at once.
func newRig(t *testing.T, plan string) *rig {
	t.Helper()
	g := &rig{t: t, clock: &manual.Clock{}}
	g.host = manual.NewHost(g.clock)
	r, err := reactor.New(reactor.Config{
		Host: g.host, Plans: bands(t, plan), NoBackground: true, Offload: func(f func()) { f() },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	g.r = r
	return g
}

func bands(t testing.TB, text string) waitplan.Bands {
	t.Helper()
	b, err := waitplan.ParseBands(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (g *rig) register(src port.Source) *reactor.Stream {
	g.t.Helper()
	s, err := g.r.Register(src)
	if err != nil {
		g.t.Fatal(err)
	}
	return s
}

func (g *rig) submit(s *reactor.Stream, point string) *reactor.Future {
	g.t.Helper()
	f, err := s.Submit(point)
	if err != nil {
		g.t.Fatal(err)
	}
	return f
}

// storeAt has the device store v at a time.
func (g *rig) storeAt(at time.Duration, src *fakeSource, v uint64) {
	g.clock.At(port.Time(at), func() { src.word.Store(v) })
}

// turnUntil turns until f has ended; it fails the test when that takes more than
// a thousand turns.
func (g *rig) turnUntil(f *reactor.Future) {
	g.t.Helper()
	for range 1000 {
		if f.Ready() {
			return
		}
		if _, err := g.r.Turn(port.Forever); err != nil {
			g.t.Fatal(err)
		}
	}
	g.t.Fatalf("the future is pending after 1000 turns, at %d ns", g.clock.Now())
}
