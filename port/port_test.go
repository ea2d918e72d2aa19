package port_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"gpureactor/internal/testmain"
	"gpureactor/port"
)

func TestMain(m *testing.M) { testmain.Main(m) }

func TestSlotsAreZeroToSeven(t *testing.T) {
	for i := range port.LineWords {
		if s, err := port.NewSlot(i); err != nil || s.Index() != i {
			t.Errorf("slot %d: %v, %v", i, s, err)
		}
	}
	for _, i := range []int{-1, 8, math.MinInt, math.MaxInt, 256} {
		s, err := port.NewSlot(i)
		if !errors.Is(err, port.ErrInvalidSlot) || !strings.Contains(err.Error(), fmt.Sprint(i)) || s != (port.Slot{}) {
			t.Errorf("slot %d: %v, %v", i, s, err)
		}
	}
}

func TestReachedComparesInWrappingOrder(t *testing.T) {
	const top = math.MaxUint64
	for _, c := range []struct {
		word, target uint64
		want         bool
	}{
		{0, 0, true}, {0, 1, false}, {1, 1, true}, {2, 1, true},
		{top, top, true}, {top - 1, top, false},
		{0, top, true}, {top, 0, false}, // one step over the end, and one short of it
		{5, top - 5, true}, {top - 5, 5, false},
		{1<<63 - 1, 0, true}, {1 << 63, 0, false}, // the farthest ahead, and too far
		{0, 1<<63 + 1, true},
	} {
		if got := port.Reached(c.word, c.target); got != c.want {
			t.Errorf("word %d, target %d: %v", c.word, c.target, got)
		}
	}
}

func TestWordsOfALineAreEightAndApart(t *testing.T) {
	var line port.Line
	seen := map[port.Word]bool{}
	for i := range port.LineWords {
		s, _ := port.NewSlot(i)
		w := line.Word(s)
		if !w.Valid() || w.Line() != &line || w.Slot() != s || w.Load() != 0 {
			t.Fatalf("word %d: %+v", i, w)
		}
		w.Store(uint64(i + 1))
		seen[w] = true
	}
	for i := range port.LineWords {
		s, _ := port.NewSlot(i)
		if got := line.Word(s).Load(); got != uint64(i+1) {
			t.Errorf("word %d holds %d", i, got)
		}
	}
	if len(seen) != port.LineWords || (port.Word{}).Valid() {
		t.Error("words are not told apart")
	}
}

func TestRaiseNeverLowersAWord(t *testing.T) {
	w := new(port.Line).Word(port.Slot{})
	for _, c := range []struct {
		to    uint64
		moved bool
		reads uint64
	}{{5, true, 5}, {3, false, 5}, {5, false, 5}, {6, true, 6}} {
		if moved := w.Raise(c.to); moved != c.moved || w.Load() != c.reads {
			t.Errorf("raise to %d: moved %v, reads %d", c.to, moved, w.Load())
		}
	}
	w.Store(math.MaxUint64)
	if !w.Raise(2) || w.Load() != 2 {
		t.Error("a raise over the end of the numbers was refused")
	}
	var all sync.WaitGroup
	for g := range uint64(4) {
		all.Go(func() {
			for n := range uint64(1000) {
				w.Raise(3 + n*4 + g)
			}
		})
	}
	all.Wait()
	if w.Load() != 3+999*4+3 {
		t.Errorf("raised by many to %d", w.Load())
	}
}

func TestTicketIsReachedByAnyLaterNumber(t *testing.T) {
	w := new(port.Line).Word(port.Slot{})
	tk := port.NewTicket(w, 3)
	for v, want := range map[uint64]bool{0: false, 2: false, 3: true, 9: true} {
		w.Store(v)
		if tk.Reached() != want {
			t.Errorf("word %d: reached %v", v, tk.Reached())
		}
	}
	if tk != port.NewTicket(w, 3) || tk.Word() != w || tk.Target() != 3 || !tk.Valid() {
		t.Error("tickets are not plain values")
	}
	if (port.Ticket{}).Valid() || (port.Ticket{}).String() != "ticket(none)" || tk.String() != "ticket(slot 0, target 3)" {
		t.Errorf("%v, %v", port.Ticket{}, tk)
	}
}

func TestTimeHoldsAtItsEnds(t *testing.T) {
	const least, most = port.Time(math.MinInt64), port.Time(math.MaxInt64)
	for _, c := range []struct {
		t    port.Time
		d    time.Duration
		want port.Time
	}{
		{1, 2, 3}, {1, -2, -1}, {most, 1, most}, {most - 1, 2, most}, {1, math.MaxInt64, most},
		{least, -1, least}, {-2, math.MinInt64, least}, {0, math.MinInt64, least}, {most, 0, most},
	} {
		if got := c.t.Add(c.d); got != c.want {
			t.Errorf("%d + %d = %d", c.t, c.d, got)
		}
	}
	for _, c := range []struct {
		t, earlier port.Time
		want       time.Duration
	}{
		{3, 1, 2}, {1, 3, -2}, {most, -1, math.MaxInt64}, {least, 1, math.MinInt64},
		{most, least, math.MaxInt64}, {least, most, math.MinInt64}, {least, least, 0}, {0, least, math.MaxInt64},
	} {
		if got := c.t.Sub(c.earlier); got != c.want {
			t.Errorf("%d - %d = %d", c.t, c.earlier, got)
		}
	}
}

func TestRegistryKeepsItsNumbers(t *testing.T) {
	want := []string{
		"InvalidPlan", "ParkFallback", "ExecutorFallback", "ExecutorRefused", "InvalidExecutor", "PendedInline",
		"Stalled", "Backend", "NotSupported", "Closed", "DeviceLost", "Foreign", "InvalidSlot", "InvalidSource",
		"InvalidTicket", "InvalidConfig", "InvalidProgram", "OutOfRange", "InvalidDescriptor", "FutureBusy",
		"Cancelled", "MarkRefused", "Unsettled", "PlanRefused", "ExecutorBusy",
	}
	all := port.Codes()
	if len(all) < len(want) {
		t.Fatalf("%d codes, want at least %d: numbers are never taken back", len(all), len(want))
	}
	texts := map[string]bool{}
	for i, c := range all {
		if c.Number() != i+1 || i < len(want) && c.String() != want[i] {
			t.Errorf("code %d is %v", i+1, c)
		}
		if c.Form() == "" || texts[c.Form()] {
			t.Errorf("%v has no text of its own", c)
		}
		texts[c.Form()] = true
	}
	for _, c := range []port.Code{0, port.Code(len(all) + 1), math.MaxUint16} {
		if c.Form() != "" || !strings.HasPrefix(c.String(), "Code(") {
			t.Errorf("unknown code %d: %q, %q", uint16(c), c.Form(), c)
		}
	}
}

func TestErrorsAreKnownByTheirCodes(t *testing.T) {
	cause := errors.New("the cause")
	err := fmt.Errorf("outer: %w", port.NewError(port.Foreign, "a buffer", "soft#1", "soft#2").WithCause(cause))
	if !errors.Is(err, port.ErrForeign) || !errors.Is(err, port.Foreign) || errors.Is(err, port.Closed) || !errors.Is(err, cause) {
		t.Errorf("%v is matched wrongly", err)
	}
	if want := "outer: a buffer belongs to soft#1, not to soft#2: the cause"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	var e *port.Error
	drv := fmt.Errorf("outer: %w", port.DriverError("cuStreamQuery", 700, "CUDA_ERROR_ILLEGAL_ADDRESS"))
	if !errors.As(drv, &e) || e.Driver.Status != 700 || e.Driver.Name != "CUDA_ERROR_ILLEGAL_ADDRESS" {
		t.Fatalf("%v", drv)
	}
	if want := "outer: cuStreamQuery failed with status 700 (CUDA_ERROR_ILLEGAL_ADDRESS)"; drv.Error() != want {
		t.Errorf("%q, want %q", drv, want)
	}
	base := port.NewError(port.Closed, "it")
	if base.WithCause(cause); base.Cause != nil {
		t.Error("WithCause changed the error it was called on")
	}
	if got := port.NewError(port.Closed).Error(); got != "{} is closed" {
		t.Errorf("missing argument: %q", got)
	}
	if got := port.NewError(port.Closed, "it", "more").Error(); got != "it is closed (extra: more)" {
		t.Errorf("extra argument: %q", got)
	}
	if got := port.NewError(port.Closed, "a {} b").Error(); got != "a {} b is closed" {
		t.Errorf("an argument with braces: %q", got)
	}
}

func TestArgumentsKeepTheirValues(t *testing.T) {
	if a := port.Int32Arg(-5); a.Kind() != port.ArgInt32 || a.Int() != -5 || a.Bits() != 0xfffffffb {
		t.Errorf("int32: %d, %x", a.Int(), a.Bits())
	}
	if a := port.Uint32Arg(math.MaxUint32); a.Int() != math.MaxUint32 {
		t.Errorf("uint32: %d", a.Int())
	}
	if a := port.Int64Arg(math.MinInt64); a.Int() != math.MinInt64 {
		t.Errorf("int64: %d", a.Int())
	}
	if a := port.Uint64Arg(math.MaxUint64); a.Bits() != math.MaxUint64 {
		t.Errorf("uint64: %x", a.Bits())
	}
	if a := port.Float32Arg(-1.5); a.Float() != -1.5 || a.Bits() != uint64(math.Float32bits(-1.5)) {
		t.Errorf("float32: %v", a.Float())
	}
	if a := port.Float64Arg(math.Pi); a.Float() != math.Pi {
		t.Errorf("float64: %v", a.Float())
	}
	if b, off := port.BufferArg(nil, 7).Buffer(); b != nil || off != 7 {
		t.Errorf("buffer: %v, %d", b, off)
	}
	if (port.Arg{}).Kind() != 0 {
		t.Error("the zero argument has a kind")
	}
}

func TestNamesForLogs(t *testing.T) {
	for want, got := range map[fmt.Stringer]string{
		port.StatusBusy: "busy", port.StatusIdle: "idle", port.Status(9): "status(9)",
		port.WokeTime: "time", port.WokeCall: "call", port.WokeDescriptor: "descriptor", port.WokeClosed: "closed",
		port.NewDomain("gpu 0"): "gpu 0", (*port.Domain)(nil): "domain(none)",
	} {
		if want.String() != got {
			t.Errorf("%q, want %q", want, got)
		}
	}
}
