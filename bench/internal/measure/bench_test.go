package measure

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gpureactor/bench/internal/arm"
	"gpureactor/bench/internal/workload"
	"gpureactor/port"
	"gpureactor/port/porttest"
)

// A tick is a clock that moves by one microsecond with each reading.
type tick struct{ now atomic.Int64 }

func (c *tick) Now() port.Time { return port.Time(c.now.Add(int64(time.Microsecond))) }

// A stub is a stream whose work ends at once, with a store made `early` ago.
type stub struct {
	port.Source // nil: what is not overridden must not be called
	clock       *tick
	word        port.Word
	pieces      []time.Duration
	marked      uint64
	early       time.Duration
	refuse      error
}

func (s *stub) Word() port.Word { return s.word }

func (s *stub) Delay(d time.Duration) error {
	s.pieces = append(s.pieces, d)
	return nil
}

func (s *stub) Mark() (port.Ticket, error) {
	if s.refuse != nil {
		return port.Ticket{}, s.refuse
	}
	s.marked++
	s.word.Store(s.marked)
	return port.NewTicket(s.word, s.marked), nil
}

func (s *stub) Stored() port.Time { return port.Time(s.clock.now.Load()).Add(-s.early) }

// A journal writes down which arm waits.
type journal struct {
	mu     sync.Mutex
	arms   []string
	closed []string
}

// arm returns an arm whose sessions wait by calling wait.
func (j *journal) arm(name string, wait func(ctx context.Context, i int) error) arm.Arm {
	return arm.Arm{Name: name, Kind: arm.Peer, Open: func(arm.Setup) (arm.Session, error) {
		return &entry{j, name, wait}, nil
	}}
}

type entry struct {
	journal *journal
	name    string
	wait    func(ctx context.Context, i int) error
}

func (e *entry) Wait(ctx context.Context, i int, t port.Ticket) error {
	e.journal.mu.Lock()
	e.journal.arms = append(e.journal.arms, e.name)
	e.journal.mu.Unlock()
	if e.wait != nil {
		return e.wait(ctx, i)
	}
	return nil
}

func (e *entry) Close() error {
	e.journal.closed = append(e.journal.closed, e.name)
	return nil
}

// cell returns a cell of stubs.
func cell(t *testing.T, waiters int, arms ...arm.Arm) *Cell {
	t.Helper()
	w, err := workload.Parse("jitter:10us:50%")
	if err != nil {
		t.Fatal(err)
	}
	c := &Cell{Workload: w, Arms: arms, Clock: &tick{}, Rounds: 4, Waits: 5, Seed: 3}
	for range waiters {
		c.Streams = append(c.Streams, &stub{
			clock: c.Clock.(*tick), word: new(port.Line).Word(port.Slot{}), early: 50 * time.Microsecond,
		})
	}
	return c
}

func TestCountedWaitsAreThoseAskedFor(t *testing.T) {
	j := &journal{}
	c := cell(t, 3, j.arm("a", nil), j.arm("b", nil))
	steps := 0
	c.Progress = func() { steps++ }
	results, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		if r.Arm.Name != c.Arms[i].Name || r.Waits() != 3*4*5 || r.Errors != 0 {
			t.Errorf("%s: %d waits, %d errors, want %d waits in the order of the arms", r.Arm.Name, r.Waits(), r.Errors, 3*4*5)
		}
	}
	if want := 2 * (4 + 1); steps != want {
		t.Errorf("%d steps of progress, want %d: rounds and warm-up of 2 arms", steps, want)
	}
	if !slices.Equal(slices.Sorted(slices.Values(j.closed)), []string{"a", "b"}) {
		t.Errorf("closed %v, want every session once", j.closed)
	}
}

// With one waiter each slice is one round that does not count and five that do.
func TestEachRoundRunsEveryArmOnce(t *testing.T) {
	j := &journal{}
	c := cell(t, 1, j.arm("a", nil), j.arm("b", nil), j.arm("c", nil))
	if _, err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	orders := make(map[string]bool)
	for round := range slices.Chunk(j.arms, 3*6) {
		order := ""
		for slice := range slices.Chunk(round, 6) {
			if len(slices.Compact(slices.Clone(slice))) != 1 {
				t.Fatalf("a slice has waits of %v", slice)
			}
			order += slice[0]
		}
		if !slices.Equal(slices.Sorted(slices.Values([]byte(order))), []byte("abc")) {
			t.Errorf("a round runs %q, want each arm once", order)
		}
		orders[order] = true
	}
	if len(orders) < 2 {
		t.Errorf("all rounds run in one order, %v", orders)
	}
}

func TestLatencyIsFromTheStoreToTheReading(t *testing.T) {
	j := &journal{}
	c := cell(t, 1, j.arm("a", nil))
	results, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// The store is 50 us before the last reading, which is that of the waiter.
	if got := results[0].Latency; got.Min() < 49_000 || got.Max() > 51_000 {
		t.Errorf("latencies from %d to %d ns, want 50 us", got.Min(), got.Max())
	}
}

func TestAllArmsSeeTheSameWork(t *testing.T) {
	j := &journal{}
	pieces := func(a ...arm.Arm) []time.Duration {
		c := cell(t, 1, a...)
		if _, err := c.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return c.Streams[0].(*stub).pieces
	}
	alone := pieces(j.arm("a", nil))
	both := pieces(j.arm("a", nil), j.arm("b", nil))
	slices.Sort(alone)
	slices.Sort(both)
	for i, d := range alone {
		if both[2*i] != d || both[2*i+1] != d {
			t.Fatalf("piece %d of one arm takes %v, those of two arms %v and %v", i, d, both[2*i], both[2*i+1])
		}
	}
}

func TestFailedWaitsAreCounted(t *testing.T) {
	j, broken := &journal{}, errors.New("broken")
	c := cell(t, 2, j.arm("good", nil), j.arm("bad", func(_ context.Context, i int) error {
		if i == 1 {
			return broken
		}
		return nil
	}))
	results, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	good, bad := &results[0], &results[1]
	if good.Errors != 0 || good.Waits() != 2*4*5 {
		t.Errorf("the good arm has %d errors and %d waits", good.Errors, good.Waits())
	}
	if bad.Errors != 4 || bad.FirstError != broken || bad.Waits() != 4*5 {
		t.Errorf("the bad arm has %d errors, first %v, and %d waits; want one error a round of the second waiter",
			bad.Errors, bad.FirstError, bad.Waits())
	}
}

func TestRefusedMarkIsAFailedWait(t *testing.T) {
	j, refused := &journal{}, errors.New("refused")
	c := cell(t, 1, j.arm("a", nil))
	c.Streams[0].(*stub).refuse = refused
	results, err := c.Run(t.Context())
	if err != nil || results[0].FirstError != refused || results[0].Waits() != 0 {
		t.Errorf("%+v, %v, want the mark's error and no waits", results, err)
	}
}

func TestEndOfContextEndsTheCell(t *testing.T) {
	j, cause := &journal{}, errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	waits := 0
	c := cell(t, 1, j.arm("a", func(ctx context.Context, _ int) error {
		if waits++; waits == 20 {
			cancel(cause)
		}
		return ctx.Err()
	}))
	c.Waits, c.Slice = 0, time.Hour
	if results, err := c.Run(ctx); !errors.Is(err, cause) || results != nil {
		t.Errorf("%v, %v, want the cause of the context", results, err)
	}
	if len(j.closed) != 1 {
		t.Errorf("closed %v, want the session", j.closed)
	}
}

func TestArmThatDoesNotOpenEndsTheCell(t *testing.T) {
	j, shut := &journal{}, errors.New("shut")
	bad := arm.Arm{Name: "bad", Open: func(arm.Setup) (arm.Session, error) { return nil, shut }}
	c := cell(t, 2, j.arm("good", nil), bad)
	if _, err := c.Run(t.Context()); !errors.Is(err, shut) {
		t.Errorf("%v, want the arm's error", err)
	}
	if !slices.Equal(j.closed, []string{"good"}) || len(j.arms) != 0 {
		t.Errorf("closed %v after %d waits, want the good arm closed and no waits", j.closed, len(j.arms))
	}
}

func TestSliceEndsByItsTime(t *testing.T) {
	j := &journal{}
	c := cell(t, 1, j.arm("a", nil))
	// The clock moves 2 us a wait: one reading after the wait, one to go on.
	c.Waits, c.Slice = 0, 100*time.Microsecond
	results, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := results[0].Waits(); n < 4*45 || n > 4*55 {
		t.Errorf("%d waits in 4 slices of 100 us at 2 us each, want about 200", n)
	}
}

// Waiters that take turns on too few cores must not draw a slice out.
func TestWaiterThatComesTooLateMakesNoWait(t *testing.T) {
	j := &journal{}
	c := cell(t, 50, j.arm("a", nil))
	c.Waits, c.Slice = 0, 1 // over at once
	results, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := results[0].Waits(); n != 4 {
		t.Errorf("%d waits in 4 slices that are over at once, want one each, of the first waiter", n)
	}
}

func TestCPUTimeNeverGoesBack(t *testing.T) {
	last := time.Duration(-1)
	for range 100 {
		now, err := cpuTime()
		porttest.Require(t, "cputime", err)
		if now < last {
			t.Fatalf("CPU time %v, %v after %v", now, err, last)
		}
		last = now
	}
}
