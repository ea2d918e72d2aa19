package remote

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"gpureactor/internal/platform"
	"gpureactor/internal/testmain"
	"gpureactor/internal/testmain/pages"
	"gpureactor/port"
	"gpureactor/port/porttest"
)

// TestMain lets the test binary be the child, or a parent that gets killed.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == ChildArgument:
		os.Exit(Serve(os.Args[2:], os.Stdout, os.Stderr))
	case len(os.Args) > 1 && os.Args[1] == parentArgument:
		beParent()
	}
	quickExits()
	testmain.Main(m, pages.Check())
}

// quickExits keeps children that were built with the race detector from pausing
// for a second before they exit.
func quickExits() {
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0"); err != nil {
		panic(err)
	}
}

func open(t *testing.T, streams int) *Device {
	t.Helper()
	d, err := Open(Config{
		Streams: streams, Command: []string{executable(t), ChildArgument}, Clock: platform.NewClock(),
	})
	porttest.Require(t, "child", err)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func executable(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// mark queues work of length d.
func mark(t *testing.T, s *Stream, d time.Duration) port.Ticket {
	t.Helper()
	if err := s.Delay(d); err != nil {
		t.Fatal(err)
	}
	ticket, err := s.Mark()
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

func block(t *testing.T, s *Stream, ticket port.Ticket) {
	t.Helper()
	if err := s.Block(t.Context(), ticket); err != nil {
		t.Fatal(err)
	}
	if !ticket.Reached() {
		t.Fatalf("Block returned with the word at %d, for %v", ticket.Word().Load(), ticket)
	}
}

func TestStoreComesNoEarlierThanTheWorkEnds(t *testing.T) {
	d := open(t, 3)
	for _, work := range []time.Duration{0, time.Microsecond, 300 * time.Microsecond, 3 * time.Millisecond} {
		for i, s := range d.Streams() {
			queued := d.clock.Now()
			block(t, s, mark(t, s, work))
			if took := s.Stored().Sub(queued); took < work {
				t.Errorf("stream %d stored %v after work of %v was queued", i, took, work)
			}
			if now := d.clock.Now(); now < s.Stored()-clockError {
				t.Errorf("stream %d stored at %d, after now, %d", i, s.Stored(), now)
			}
		}
	}
}

// clockError bounds how far apart two processes read one moment.
const clockError = port.Time(time.Microsecond)

func TestMarksOfOneStreamAreReachedInOrder(t *testing.T) {
	s := open(t, 1).Streams()[0]
	var tickets []port.Ticket
	for range Depth {
		tickets = append(tickets, mark(t, s, 100*time.Microsecond))
	}
	for i, ticket := range tickets {
		if want := uint64(i + 1); ticket.Target() != want {
			t.Errorf("mark %d has target %d", want, ticket.Target())
		}
		block(t, s, ticket)
	}
	if status, err := s.Status(); status != port.StatusIdle || err != nil {
		t.Errorf("status %v, %v after the last mark, want idle", status, err)
	}
}

func TestStreamsRunBesideEachOther(t *testing.T) {
	d := open(t, 2)
	long, short := d.Streams()[0], d.Streams()[1]
	last := mark(t, long, 200*time.Millisecond)
	block(t, short, mark(t, short, time.Millisecond))
	if last.Reached() {
		t.Error("work of 1 ms waited for work of 200 ms on another stream")
	}
	if status, err := long.Status(); status != port.StatusBusy || err != nil {
		t.Errorf("status %v, %v while work runs, want busy", status, err)
	}
}

func TestFullQueueRefusesAndUsesUpNoNumber(t *testing.T) {
	s := open(t, 1).Streams()[0]
	// A child that is stopped takes nothing.
	porttest.Require(t, "child", pause(s.device.Process()))
	for range Depth {
		mark(t, s, 0)
	}
	if _, err := s.Mark(); !errors.Is(err, port.MarkRefused) {
		t.Errorf("mark %d of a child that takes none: %v, want MarkRefused", Depth+1, err)
	}
	if err := resume(s.device.Process()); err != nil {
		t.Fatal(err)
	}
	block(t, s, port.NewTicket(s.Word(), Depth))
	if next := mark(t, s, 0); next.Target() != Depth+1 {
		t.Errorf("the mark after a refused one has target %d, want %d", next.Target(), Depth+1)
	}
}

func TestManyBlockOnOneStream(t *testing.T) {
	s := open(t, 1).Streams()[0]
	var all sync.WaitGroup
	for range 8 {
		ticket := mark(t, s, 200*time.Microsecond)
		all.Go(func() { block(t, s, ticket) })
	}
	all.Wait()
}

func TestEndOfContextEndsBlock(t *testing.T) {
	s := open(t, 1).Streams()[0]
	ticket := mark(t, s, time.Hour)
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	ended := make(chan error)
	go func() { ended <- s.Block(ctx, ticket) }()
	cancel(cause)
	if err := <-ended; !errors.Is(err, cause) {
		t.Errorf("Block ended with %v, want the context's cause", err)
	}
}

func TestDeathOfTheChildEndsEverything(t *testing.T) {
	d := open(t, 2)
	s := d.Streams()[0]
	ticket := mark(t, s, time.Hour)
	ended := make(chan error)
	go func() { ended <- s.Block(t.Context(), ticket) }()
	if err := d.Process().Kill(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, port.ErrDeviceLost) {
		t.Errorf("Block ended with %v, want DeviceLost", err)
	}
	<-d.Lost()
	_, markErr := s.Mark()
	_, statusErr := s.Status()
	for call, err := range map[string]error{
		"Err": d.Err(), "Mark": markErr, "Status": statusErr, "Delay": s.Delay(0),
		"Block": s.Block(t.Context(), ticket),
	} {
		if !errors.Is(err, port.ErrDeviceLost) || !strings.Contains(err.Error(), "killed") {
			t.Errorf("%s after the child was killed: %v, want DeviceLost and how", call, err)
		}
	}
}

func TestClosedDeviceRefuses(t *testing.T) {
	d := open(t, 1)
	s := d.Streams()[0]
	ticket := mark(t, s, 0)
	if err := s.Acquire(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s.Word().Load() // is still mapped
	s.Release()
	_, markErr := s.Mark()
	_, statusErr := s.Status()
	for call, err := range map[string]error{
		"Mark": markErr, "Status": statusErr, "Delay": s.Delay(0), "Acquire": s.Acquire(),
		"Block": s.Block(t.Context(), ticket),
	} {
		if !errors.Is(err, port.ErrClosed) {
			t.Errorf("%s of a closed device: %v, want Closed", call, err)
		}
	}
}

func TestCloseEndsABlockedWait(t *testing.T) {
	d := open(t, 1)
	s := d.Streams()[0]
	ticket := mark(t, s, time.Hour)
	ended := make(chan error)
	go func() { ended <- s.Block(t.Context(), ticket) }()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, port.ErrDeviceLost) && !errors.Is(err, port.ErrClosed) {
		t.Errorf("Block ended with %v, want DeviceLost or Closed", err)
	}
}

func TestRefusals(t *testing.T) {
	clock, command := platform.NewClock(), []string{executable(t), ChildArgument}
	tests := []struct {
		name string
		cfg  Config
		want port.Code
	}{
		{"no streams", Config{Command: command, Clock: clock}, port.OutOfRange},
		{"negative streams", Config{Streams: -1, Command: command, Clock: clock}, port.OutOfRange},
		{"too many streams", Config{Streams: MaxStreams + 1, Command: command, Clock: clock}, port.OutOfRange},
		{"no command", Config{Streams: 1, Clock: clock}, port.InvalidConfig},
		{"no clock", Config{Streams: 1, Command: command}, port.InvalidConfig},
	}
	for _, test := range tests {
		if _, err := Open(test.cfg); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
	s := open(t, 2).Streams()
	if err := s[0].Delay(-1); !errors.Is(err, port.ErrOutOfRange) {
		t.Errorf("negative delay: %v, want OutOfRange", err)
	}
	if err := s[0].Block(t.Context(), mark(t, s[1], 0)); !errors.Is(err, port.ErrForeign) {
		t.Errorf("ticket of another stream: %v, want Foreign", err)
	}
}

func TestChildThatDoesNotServeIsReported(t *testing.T) {
	open(t, 1) // skips where there can be no child
	tests := []struct {
		name    string
		command []string
		says    string
	}{
		{"bad argument", []string{executable(t), ChildArgument, "x"}, "arguments of a device process"},
		{"another program", []string{"/bin/echo"}, "it exited"},
		{"no program", []string{"/no/such/program"}, "no such file"},
	}
	for _, test := range tests {
		_, err := Open(Config{Streams: 1, Command: test.command, Clock: platform.NewClock()})
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want an error with %q", test.name, err, test.says)
		}
	}
}

func TestBadArgumentsOfAChild(t *testing.T) {
	for _, args := range [][]string{nil, {"0"}, {"-1"}, {"1025"}, {"x"}, {"1", "2"}} {
		var stderr strings.Builder
		if status := Serve(args, &strings.Builder{}, &stderr); status != 1 || stderr.Len() == 0 {
			t.Errorf("Serve(%q) = %d and says %q, want 1 and a reason", args, status, stderr.String())
		}
	}
}

func TestHotPathAllocatesNothing(t *testing.T) {
	s := open(t, 1).Streams()[0]
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	round := func() {
		ticket := mark(t, s, 0)
		if err := s.Block(ctx, ticket); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(200, round); n != 0 {
		t.Errorf("%v allocations for a mark and a blocking wait", n)
	}
}
