package soft

import (
	"context"
	"strings"
	"testing"
	"time"

	"gpureactor/port"
)

// sampleTimes are when the fault tests look: three marks are due at 100, 200 and
// 300 us.
var sampleTimes = []time.Duration{100 * us, 150 * us, 200 * us, 250 * us, 300 * us, 350 * us, 500 * us}

type words7 [7]uint64

func TestStoreFaultsMoveTheWordAsDocumented(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault Fault
		want  words7
		stats Stats // of the counts below
	}{
		{"late, before the next store", Fault{Kind: StoreLate, Mark: 1, By: 70 * us},
			words7{0, 0, 2, 2, 3, 3, 3}, Stats{Stores: 3, LateStores: 1}},
		{"late, the next store waits behind it", Fault{Kind: StoreLate, Mark: 1, By: 120 * us},
			words7{0, 0, 0, 2, 3, 3, 3}, Stats{Stores: 3, LateStores: 1}},
		{"late, after all others", Fault{Kind: StoreLate, Mark: 2, By: 220 * us},
			words7{1, 1, 1, 1, 1, 1, 3}, Stats{Stores: 3, LateStores: 1}},
		{"lost, healed by the next", Fault{Kind: StoreLost, Mark: 2},
			words7{1, 1, 1, 1, 3, 3, 3}, Stats{Stores: 2, LostStores: 1}},
		{"lost, the last one", Fault{Kind: StoreLost, Mark: 3},
			words7{1, 1, 2, 2, 2, 2, 2}, Stats{Stores: 2, LostStores: 1}},
		{"twice at once", Fault{Kind: StoreTwice, Mark: 2},
			words7{1, 1, 2, 2, 3, 3, 3}, Stats{Stores: 4}},
		{"twice, the word falls", Fault{Kind: StoreTwice, Mark: 1, By: 120 * us},
			words7{1, 1, 2, 1, 3, 3, 3}, Stats{Stores: 4}},
		{"swapped, the word falls by one", Fault{Kind: StoreSwapped, Mark: 1},
			words7{0, 0, 1, 1, 3, 3, 3}, Stats{Stores: 3, LostStores: 1}},
		{"swapped with nothing", Fault{Kind: StoreSwapped, Mark: 3},
			words7{1, 1, 2, 2, 2, 2, 2}, Stats{Stores: 2, LostStores: 1}},
		{"low by the default of 2", Fault{Kind: StoreLow, Mark: 2},
			words7{1, 1, 0, 0, 3, 3, 3}, Stats{Stores: 3, LostStores: 1}},
		{"low by 1", Fault{Kind: StoreLow, Mark: 2, Below: 1},
			words7{1, 1, 1, 1, 3, 3, 3}, Stats{Stores: 3, LostStores: 1}},
		{"of another stream", Fault{Kind: StoreLost, Mark: 1, Stream: 7},
			words7{1, 1, 2, 2, 3, 3, 3}, Stats{Stores: 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, s, got := playFault(t, c.fault)
			if got != c.want {
				t.Errorf("word over time %v, want %v", got, c.want)
			}
			wantsIdle(t, s)
			checkFaultStats(t, d, c.stats, c.fault.Stream == 0)
		})
	}
}

// playFault runs three marks 100 us apart and samples the word.
func playFault(t *testing.T, f Fault) (*Device, *Stream, words7) {
	t.Helper()
	d, clock := openStepped(t, Config{Script: []Fault{f}})
	s := newTestStream(t, d)
	for range 3 {
		must(t, s.Delay(100*us))
		markTest(t, s)
	}
	var got words7
	for i, at := range sampleTimes {
		clock.Set(port.Time(at))
		got[i] = s.Word().Load()
	}
	return d, s, got
}

func checkFaultStats(t *testing.T, d *Device, want Stats, happened bool) {
	t.Helper()
	want.Streams, want.Marks = 1, 3
	if happened {
		want.Faults = 1
	}
	if got := d.Stats(); got != want {
		t.Errorf("stats %+v, want %+v", got, want)
	}
}

func TestEveryStoreFaultLetsBlockEndOnTime(t *testing.T) {
	for _, kind := range []FaultKind{StoreLate, StoreLost, StoreTwice, StoreSwapped, StoreLow} {
		f := Fault{Kind: kind, Mark: 1}
		if kind == StoreLate {
			f.By = time.Hour
		}
		d, clock := openStepped(t, Config{Script: []Fault{f}})
		s := newTestStream(t, d)
		must(t, s.Delay(100*us))
		ticket := markTest(t, s)
		clock.Advance(100 * us)
		if err := s.Block(context.Background(), ticket); err != nil {
			t.Errorf("%v: the vendor's wait, which asks for work and not for stores: %v", f, err)
		}
		wantsIdle(t, s)
	}
}

func TestStatusFaultFailsOnceOrFromThenOn(t *testing.T) {
	for _, sticky := range []bool{false, true} {
		d, clock := openStepped(t, Config{Script: []Fault{
			{Kind: StatusFails, After: 150 * us, Status: 5, Name: "SOFT_ERROR_ODD", Sticky: sticky},
		}})
		s, other := newTestStream(t, d), newTestStream(t, d)
		clock.Advance(149 * us)
		wantsIdle(t, s)
		clock.Advance(us)
		_, err := s.Status()
		wants(t, "status at its time", err, port.Backend)
		if !strings.Contains(err.Error(), "SOFT_ERROR_ODD") || !strings.Contains(err.Error(), "status 5") {
			t.Errorf("error %q does not name the status", err)
		}
		if _, err := s.Status(); (err != nil) != sticky {
			t.Errorf("sticky %t: the next status fails with %v", sticky, err)
		}
		wantsIdle(t, other)
		if ticket := markTest(t, s); !ticket.Reached() {
			t.Error("a failed status held back a store")
		}
	}
}

func TestStatusFaultOnAllStreams(t *testing.T) {
	d, _ := openStepped(t, Config{Script: []Fault{{Kind: StatusFails, Stream: AllStreams, Sticky: true}}})
	for range 3 {
		_, err := newTestStream(t, d).Status()
		wantsStatus(t, "status", err, StatusUnknown)
	}
}

func TestLostDeviceFailsEveryCallWithItsStatus(t *testing.T) {
	d, clock := openStepped(t, Config{Script: []Fault{{Kind: DeviceLost, After: 150 * us}}})
	s, b := newTestStream(t, d), newTestBuffer(t, d, 16)
	k := kernelOf(t, d, func(port.KernelCall) error { return nil })
	var tickets []port.Ticket
	for range 3 {
		must(t, s.Delay(100*us))
		tickets = append(tickets, markTest(t, s))
	}
	clock.Advance(time.Second)
	if got := s.Word().Load(); got != 1 {
		t.Errorf("word %d after the loss, want 1", got)
	}
	for what, err := range lostCalls(d, s, b, k) {
		wants(t, what, err, port.ErrDeviceLost)
		wantsStatus(t, what, err, StatusDeviceLost)
	}
	must(t, s.Block(context.Background(), tickets[0]))
	wants(t, "Block behind the fault", s.Block(context.Background(), tickets[1]), port.ErrDeviceLost)
	if got := d.Stats(); got.Dropped != 4 || got.Faults != 1 {
		t.Errorf("stats %+v: want 4 dropped (two delays and their marks), 1 fault", got)
	}
}

// lostCalls makes every call that can fail.
func lostCalls(d *Device, s *Stream, b port.Buffer, k port.Kernel) map[string]error {
	all := map[string]error{
		"Fill":    s.Fill(b, 0, 1, 1),
		"CopyIn":  s.CopyIn(b, 0, []byte{1}),
		"CopyOut": s.CopyOut(make([]byte, 1), b, 0),
		"Launch":  s.Launch(port.Launch{Kernel: k}),
		"Delay":   s.Delay(us),
		"Free":    b.Free(),
		"Inject":  d.Inject(Fault{Kind: StatusFails}),
	}
	_, all["Mark"] = s.Mark()
	_, all["Status"] = s.Status()
	_, all["Gate"] = s.Gate()
	_, all["Alloc"] = d.Alloc(1)
	_, all["NewStream"] = d.NewStream()
	_, all["Load"] = d.Load(port.Program{Go: map[string]port.GoKernel{"k": func(port.KernelCall) error { return nil }}})
	_, all["Kernel"] = k.(*kernel).module.Kernel("k")
	return all
}

func TestRefusedMarkQueuesNothingAndUsesNoNumber(t *testing.T) {
	d, clock := openStepped(t, Config{Script: []Fault{{Kind: MarkRefused, Mark: 2}}})
	s := newTestStream(t, d)
	first := markTest(t, s)
	must(t, s.Delay(10*us))
	_, err := s.Mark()
	wants(t, "Mark", err, port.MarkRefused)
	wantsStatus(t, "Mark", err, StatusQueueFull)
	clock.Advance(10 * us)
	if got := s.Word().Load(); got != first.Target() {
		t.Errorf("word %d after a refused mark, want %d", got, first.Target())
	}
	if next := markTest(t, s); next.Target() != first.Target()+1 || !next.Reached() {
		t.Errorf("the next mark is %v after %v", next, first)
	}
}

func TestUnsureMarkStoresAndItsNumberIsNeverGivenOut(t *testing.T) {
	d, clock := openStepped(t, Config{Script: []Fault{{Kind: MarkUnsure, Mark: 2}}})
	s := newTestStream(t, d)
	first := markTest(t, s)
	must(t, s.Delay(10*us))
	_, err := s.Mark()
	wants(t, "Mark", err, port.MarkRefused)
	must(t, s.Delay(10*us))
	next := markTest(t, s)
	clock.Advance(10 * us)
	if got := s.Word().Load(); got != first.Target()+1 || next.Reached() {
		t.Errorf("word %d, and %v reached: %t", got, next, next.Reached())
	}
	clock.Advance(10 * us)
	if !next.Reached() {
		t.Errorf("%v is not reached", next)
	}
	if got := d.Stats(); got.Faults != 1 || got.Marks != 3 || got.Stores != 3 {
		t.Errorf("stats %+v: want 1 fault, 3 marks, 3 stores", got)
	}
}

func TestFaultsOutOfBoundsAreRefused(t *testing.T) {
	for _, c := range []struct {
		fault Fault
		field string
	}{
		{Fault{}, "Kind"},
		{Fault{Kind: faultKindEnd}, "Kind"},
		{Fault{Kind: StoreLost}, "Mark"},
		{Fault{Kind: StoreLost, Mark: 1, Stream: -1}, "Stream"},
		{Fault{Kind: StoreLost, Mark: 1, By: 1}, "By"},
		{Fault{Kind: StoreLost, Mark: 1, After: 1}, "After"},
		{Fault{Kind: StoreLost, Mark: 1, Status: 1}, "Status"},
		{Fault{Kind: StoreLost, Mark: 1, Name: "X"}, "Name"},
		{Fault{Kind: StoreLost, Mark: 1, Below: 1}, "Below"},
		{Fault{Kind: StoreLate, Mark: 1}, "By"},
		{Fault{Kind: StoreLate, Mark: 1, By: -1}, "By"},
		{Fault{Kind: StoreTwice, Mark: 1, By: -1}, "By"},
		{Fault{Kind: StatusFails, Stream: -2}, "Stream"},
		{Fault{Kind: StatusFails, Mark: 1}, "Mark"},
		{Fault{Kind: StatusFails, After: -1}, "After"},
		{Fault{Kind: DeviceLost, After: -1}, "After"},
		{Fault{Kind: DeviceLost, Stream: 1}, "Stream"},
		{Fault{Kind: DeviceLost, Sticky: true}, "Sticky"},
		{Fault{Kind: SettleFails, After: 1}, "After"},
		{Fault{Kind: MarkRefused}, "Mark"},
	} {
		_, err := Open(Config{Script: []Fault{{Kind: SettleFails}, c.fault}})
		wants(t, c.fault.String(), err, port.ErrInvalidConfig)
		if !strings.Contains(err.Error(), "Script[1]."+c.field+" is ") {
			t.Errorf("%v: error %q does not name Script[1].%s", c.fault, err, c.field)
		}
	}
}

func TestTwoFaultsOnOneMarkAreRefused(t *testing.T) {
	_, err := Open(Config{Script: []Fault{
		{Kind: StoreLost, Mark: 3}, {Kind: StoreLost, Mark: 3, Stream: 1}, {Kind: MarkRefused, Mark: 3},
	}})
	wants(t, "Open", err, port.ErrInvalidConfig)
	if !strings.Contains(err.Error(), "Script[2].Mark is 3") {
		t.Errorf("error %q does not name the second fault", err)
	}
}

func TestInjectedFaultsCountFromNow(t *testing.T) {
	d, clock := openStepped(t, Config{})
	s := newTestStream(t, d)
	markTest(t, s)
	clock.Advance(time.Second)
	must(t, d.Inject(Fault{Kind: StatusFails, After: 10 * us}))
	must(t, d.Inject(Fault{Kind: StoreLost, Mark: 2}))
	wantsIdle(t, s)
	clock.Advance(10 * us)
	_, err := s.Status()
	wants(t, "status", err, port.Backend)
	if ticket := markTest(t, s); ticket.Reached() {
		t.Error("an injected lost store landed")
	}
	must(t, d.Inject(Fault{Kind: DeviceLost}))
	_, err = s.Mark()
	wants(t, "Mark after a loss at once", err, port.ErrDeviceLost)
}

func TestInjectRefusesWhatCannotHappen(t *testing.T) {
	d, _ := openStepped(t, Config{Script: []Fault{{Kind: StoreLost, Mark: 9}}})
	s := newTestStream(t, d)
	markTest(t, s)
	for name, f := range map[string]Fault{
		"mark is past":       {Kind: StoreLost, Mark: 1},
		"mark has a fault":   {Kind: StoreLow, Mark: 9},
		"malformed":          {Kind: StoreLate, Mark: 5},
		"not a kind at all":  {Kind: 99},
		"time in the past":   {Kind: DeviceLost, After: -1},
		"stream below zero":  {Kind: StoreLost, Mark: 5, Stream: -3},
		"field of no effect": {Kind: SettleFails, Mark: 1},
	} {
		wants(t, name, d.Inject(f), port.ErrInvalidConfig)
	}
	must(t, d.Inject(Fault{Kind: StoreLost, Mark: 2}))
	must(t, d.Inject(Fault{Kind: StoreLost, Mark: 1, Stream: 1}))
	if ticket := markTest(t, newTestStream(t, d)); ticket.Reached() {
		t.Error("a fault injected before its stream was opened did not happen")
	}
}

func TestFaultKindsHaveNames(t *testing.T) {
	seen := make(map[string]bool)
	for k := FaultKind(1); k < faultKindEnd; k++ {
		if name := k.String(); name == "" || seen[name] || strings.HasPrefix(name, "fault(") {
			t.Errorf("kind %d is named %q", k, name)
		}
		seen[k.String()] = true
	}
	if got := FaultKind(200).String(); got != "fault(200)" {
		t.Errorf("an unknown kind is named %q", got)
	}
}
