package soft

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"gpureactor/port"
)

func TestDelaysStartWhereTheWorkBeforeThemEnded(t *testing.T) {
	d, clock := openStepped(t, Config{})
	s := newTestStream(t, d)
	clock.Advance(5 * us)
	must(t, s.Delay(10*us)) // until 15
	must(t, s.Delay(20*us)) // until 35
	first := markTest(t, s)
	for _, c := range []struct {
		at      time.Duration
		reached bool
	}{{34 * us, false}, {35 * us, true}} {
		clock.Set(port.Time(c.at))
		if first.Reached() != c.reached {
			t.Errorf("at %v: reached %t", c.at, first.Reached())
		}
	}
	clock.Set(port.Time(50 * us))
	must(t, s.Delay(10*us)) // idle since 35: until 60
	second := markTest(t, s)
	clock.Set(port.Time(60*us) - 1)
	if second.Reached() {
		t.Error("a delay on an idle stream began before it was queued")
	}
	clock.Advance(1)
	if !second.Reached() {
		t.Error("a delay on an idle stream began late")
	}
}

func TestDelayBehindAGateStartsWhenThatOpens(t *testing.T) {
	d, clock := openStepped(t, Config{})
	s := newTestStream(t, d)
	open := gateTest(t, s)
	must(t, s.Delay(10*us))
	ticket := markTest(t, s)
	clock.Advance(100 * us)
	open()
	clock.Advance(10*us - 1)
	if ticket.Reached() {
		t.Error("the delay began before the gate was open")
	}
	clock.Advance(1)
	if !ticket.Reached() {
		t.Error("the delay did not end 10 us after the gate")
	}
}

func TestLongestDelayNeverEndsAndNeverOverflows(t *testing.T) {
	d, clock := openStepped(t, Config{})
	s := newTestStream(t, d)
	clock.Advance(time.Hour)
	must(t, s.Delay(1<<63-1))
	must(t, s.Delay(1<<63-1))
	ticket := markTest(t, s)
	clock.Advance(100 * 365 * 24 * time.Hour)
	if ticket.Reached() {
		t.Error("a delay of the largest int64 has ended")
	}
}

func TestMarksOfAStepInOneAlarmLandInOrder(t *testing.T) {
	d, clock := openStepped(t, Config{})
	a, b := newTestStream(t, d), newTestStream(t, d)
	for range 3 {
		must(t, a.Delay(10*us))
		markTest(t, a)
		must(t, b.Delay(15*us))
		markTest(t, b)
	}
	for _, c := range []struct{ at, a, b uint64 }{{10, 1, 0}, {15, 1, 1}, {20, 2, 1}, {30, 3, 2}, {45, 3, 3}} {
		clock.Set(port.Time(c.at) * port.Time(us))
		if a.Word().Load() != c.a || b.Word().Load() != c.b {
			t.Errorf("at %d us: words %d and %d, want %d and %d", c.at, a.Word().Load(), b.Word().Load(), c.a, c.b)
		}
	}
}

func TestCopyOutWritesOnlyWhenItIsRetired(t *testing.T) {
	d, _ := openStepped(t, Config{})
	s, b := newTestStream(t, d), newTestBuffer(t, d, 4)
	must(t, s.Fill(b, 0, 4, 7))
	first, second := make([]byte, 4), make([]byte, 4)
	must(t, s.CopyOut(first, b, 0))
	one := markTest(t, s)
	must(t, s.Fill(b, 0, 4, 8))
	must(t, s.CopyOut(second, b, 0))
	two := markTest(t, s)
	if !two.Reached() || first[0] != 0 || second[0] != 0 {
		t.Fatalf("before Retire: %v %v", first, second)
	}
	s.Retire(one.Target(), nil)
	if !bytes.Equal(first, []byte{7, 7, 7, 7}) || second[0] != 0 {
		t.Errorf("after the first Retire: %v %v", first, second)
	}
	s.Retire(two.Target(), nil)
	if !bytes.Equal(second, []byte{8, 8, 8, 8}) {
		t.Errorf("after the second Retire: %v", second)
	}
}

func TestFailedRetireLeavesTheDestinationAlone(t *testing.T) {
	d, _ := openStepped(t, Config{})
	s, b := newTestStream(t, d), newTestBuffer(t, d, 4)
	dst := make([]byte, 4)
	must(t, s.CopyOut(dst, b, 0))
	ticket := markTest(t, s)
	cause := errors.New("cause")
	s.Retire(ticket.Target(), cause)
	s.Retire(ticket.Target(), nil)
	if dst[0] != 0 {
		t.Errorf("a failed copy out wrote %v", dst)
	}
}

func TestRetireBeforeTheWorkDeliversNothing(t *testing.T) {
	d, _ := openStepped(t, Config{})
	s, b := newTestStream(t, d), newTestBuffer(t, d, 4)
	must(t, s.Fill(b, 0, 4, 7))
	open := gateTest(t, s)
	dst := []byte{1, 2, 3, 4}
	must(t, s.CopyOut(dst, b, 0))
	ticket := markTest(t, s)
	s.Retire(ticket.Target(), nil)
	open()
	s.Retire(ticket.Target(), nil)
	if !bytes.Equal(dst, []byte{1, 2, 3, 4}) || d.Stats().BadRetires != 1 {
		t.Errorf("a copy retired too early wrote %v; stats %+v", dst, d.Stats())
	}
}

func TestRetireIsRecordedAndItsContractWatched(t *testing.T) {
	d, _ := openStepped(t, Config{})
	s := newTestStream(t, d)
	a, b := markTest(t, s), markTest(t, s)
	cause := errors.New("cause")
	for _, c := range []struct {
		name string
		upTo uint64
		err  error
		bad  int64
	}{
		{"success", a.Target(), nil, 0},
		{"the same again", a.Target(), nil, 0},
		{"failure of work not done", b.Target() + 5, cause, 0},
		{"backwards", b.Target(), nil, 1},
		{"success of work not done", b.Target() + 6, nil, 2},
	} {
		s.Retire(c.upTo, c.err)
		if upTo, err := s.Retired(); upTo != c.upTo || err != c.err {
			t.Errorf("%s: recorded %d, %v", c.name, upTo, err)
		}
		if got := d.Stats().BadRetires; got != c.bad {
			t.Errorf("%s: %d bad retires, want %d", c.name, got, c.bad)
		}
	}
}

func TestStampsHoldTheDeviceTimeOfTheStore(t *testing.T) {
	lines := testLines(4)
	d, clock := openStepped(t, Config{Lines: lines[:2], Stamps: lines[2:]})
	for i := range 2 * port.LineWords {
		s := newTestStream(t, d)
		if s.Word().Line() != lines[i/port.LineWords] || s.Word().Slot().Index() != i%port.LineWords {
			t.Fatalf("stream %d has slot %d of another line", i, s.Word().Slot().Index())
		}
		must(t, s.Delay(time.Duration(i+1)*us))
		markTest(t, s)
	}
	clock.Advance(time.Second)
	for i := range 2 * port.LineWords {
		slot := testSlot(t, i%port.LineWords)
		if got, want := lines[2+i/port.LineWords].Word(slot).Load(), uint64(i+1)*uint64(us); got != want {
			t.Errorf("stamp of stream %d is %d, want %d", i, got, want)
		}
	}
}

func testLines(n int) []*port.Line {
	all := make([]*port.Line, n)
	for i := range all {
		all[i] = new(port.Line)
	}
	return all
}

func testSlot(t *testing.T, i int) port.Slot {
	t.Helper()
	slot, err := port.NewSlot(i)
	if err != nil {
		t.Fatal(err)
	}
	return slot
}

func TestBlockOfAForeignOrZeroTicketIsRefused(t *testing.T) {
	d, _ := openStepped(t, Config{})
	s, other := newTestStream(t, d), newTestStream(t, d)
	wants(t, "zero ticket", s.Block(context.Background(), port.Ticket{}), port.InvalidTicket)
	wants(t, "ticket of another stream", s.Block(context.Background(), markTest(t, other)), port.ErrForeign)
}

func TestBlockOnATicketNotMarkedYetWaitsForItsMark(t *testing.T) {
	d := openLive(t, Config{})
	s := newTestStream(t, d)
	result := make(chan error)
	go func() { result <- s.Block(context.Background(), port.NewTicket(s.Word(), 2)) }()
	markTest(t, s)
	select {
	case err := <-result:
		t.Fatalf("Block ended at the mark before: %v", err)
	default:
	}
	markTest(t, s)
	must(t, <-result)
}

func TestBlockReportsTheCauseOfItsContext(t *testing.T) {
	d, _ := openStepped(t, Config{})
	s := newTestStream(t, d)
	gateTest(t, s)
	ticket := markTest(t, s)
	cause := errors.New("cause")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	if err := s.Block(ctx, ticket); err != cause {
		t.Errorf("Block returned %v", err)
	}
	if n := len(s.waiters.blocked); n != 0 {
		t.Errorf("%d waiters are left behind", n)
	}
}

func TestReleaseWithoutAcquireIsABug(t *testing.T) {
	d, _ := openStepped(t, Config{})
	s := newTestStream(t, d)
	must(t, s.Acquire())
	s.Release()
	defer func() {
		if text, _ := recover().(string); !strings.HasPrefix(text, "BUG: ") {
			t.Errorf("recovered %q", text)
		}
		s.holds = 0
	}()
	s.Release()
}

func TestNamesTellDevicesAndStreamsApart(t *testing.T) {
	a, _ := openStepped(t, Config{})
	b := openLive(t, Config{})
	if a.String() == b.String() || a.Domain().String() != a.String() || a.Info().Name != a.String() {
		t.Errorf("devices %v and %v, domain %v, info %+v", a, b, a.Domain(), a.Info())
	}
	if s := newTestStream(t, a); s.String() != a.String()+"/stream0" || s.Number() != 0 {
		t.Errorf("first stream %v, number %d", s, s.Number())
	}
	if a.Info().Driver == b.Info().Driver {
		t.Errorf("stepped and live device both say %q", a.Info().Driver)
	}
}
