package soft

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"gpureactor/internal/hostmem"
	"gpureactor/port"
	"gpureactor/port/manual"
)

func TestLiveCloseWaitsForQueuedWork(t *testing.T) {
	d := openTest(t, Config{})
	s := newTestStream(t, d)
	must(t, s.Acquire())
	must(t, s.Delay(2*time.Millisecond))
	must(t, s.Launch(port.Launch{Kernel: kernelOf(t, d, func(port.KernelCall) error { return nil })}))
	ticket := markTest(t, s)
	closeTest(t, d)
	if !ticket.Reached() || d.Stats().Kernels != 1 {
		t.Errorf("Close did not wait: %+v", d.Stats())
	}
	wantsIdle(t, s)
	must(t, s.Block(context.Background(), ticket))
	s.Release()
}

func TestCloseOpensGatesLeftShut(t *testing.T) {
	for name, shut := range map[string]func(*Device, *Stream) error{
		"device": func(d *Device, _ *Stream) error { return d.Close() },
		"stream": func(_ *Device, s *Stream) error { return s.Close() },
	} {
		for mode, alarm := range map[string]port.Alarm{"stepped": new(manual.Clock), "live": nil} {
			t.Run(name+"/"+mode, func(t *testing.T) {
				d := openTest(t, Config{Alarm: alarm})
				defer closeTest(t, d)
				s := newTestStream(t, d)
				must(t, s.Acquire())
				defer s.Release()
				open := gateTest(t, s)
				gateTest(t, s)
				ticket := markTest(t, s)
				must(t, shut(d, s))
				if !ticket.Reached() {
					t.Error("the mark behind the gates is not reached")
				}
				open()
			})
		}
	}
}

func TestSteppedCloseDropsWhatNeedsTheClock(t *testing.T) {
	clock := new(manual.Clock)
	d := openTest(t, Config{Alarm: clock})
	s, idle := newTestStream(t, d), newTestStream(t, d)
	must(t, s.Acquire())
	b := newTestBuffer(t, d, 8)
	done := markTest(t, s)
	must(t, s.Delay(10*us))
	must(t, s.Fill(b, 0, 8, 1))
	ticket := markTest(t, s)
	blocked := make(chan error)
	go func() { blocked <- s.Block(context.Background(), ticket) }()
	closeTest(t, d)
	for what, err := range map[string]error{
		"blocked": <-blocked, "Block afterwards": s.Block(context.Background(), ticket), "Status": second(s.Status()),
	} {
		wants(t, what, err, port.ErrClosed)
		wantsStatus(t, what, err, StatusDeinitialized)
	}
	must(t, s.Block(context.Background(), done))
	wantsIdle(t, idle)
	clock.Advance(time.Second)
	if ticket.Reached() || d.Stats().Dropped != 3 {
		t.Errorf("dropped work came back: %+v", d.Stats())
	}
	s.Release()
}

func second[A, B any](_ A, b B) B { return b }

func TestSteppedStreamCloseDropsItsOwnWorkOnly(t *testing.T) {
	d, clock := openStepped(t, Config{})
	s, other := newTestStream(t, d), newTestStream(t, d)
	must(t, s.Delay(10*us))
	markTest(t, s)
	must(t, other.Delay(10*us))
	kept := markTest(t, other)
	must(t, s.Close())
	must(t, s.Close())
	clock.Advance(10 * us)
	if !kept.Reached() {
		t.Error("closing one stream dropped another's work")
	}
	if next := newTestStream(t, d); next.Word() != s.Word() {
		t.Error("the closed stream's word was not given back")
	}
}

func TestUnsettledCloseKeepsMemoryOnPurpose(t *testing.T) {
	live, kept := hostmem.Live(), hostmem.Kept()
	d := openTest(t, Config{Script: []Fault{{Kind: SettleFails}}})
	s := newTestStream(t, d)
	newTestBuffer(t, d, 100)
	ticket := markTest(t, s)
	err := d.Close()
	wants(t, "Close", err, port.Unsettled)
	wantsStatus(t, "Close", err, StatusSettleFailed)
	if want := int64(pageLines*port.LineBytes + 100); d.Stats().KeptBytes != want {
		t.Errorf("%d bytes kept, want %d: %v", d.Stats().KeptBytes, want, err)
	}
	if hostmem.Live() != live || hostmem.Kept() != kept+1 {
		t.Errorf("pages live %d and kept %d, want %d and %d", hostmem.Live(), hostmem.Kept(), live, kept+1)
	}
	if !ticket.Reached() {
		t.Error("the word of a kept page cannot be read")
	}
	must(t, d.Close())
}

func TestCloseGivesUpOnAKernelThatDoesNotEnd(t *testing.T) {
	d := openTest(t, Config{SettleBound: time.Millisecond})
	stuck, queued := newTestStream(t, d), newTestStream(t, d)
	release, ran := make(chan struct{}), make(chan struct{})
	k := kernelOf(t, d, func(port.KernelCall) error {
		close(ran)
		<-release
		return nil
	})
	must(t, stuck.Launch(port.Launch{Kernel: k}))
	behind := markTest(t, stuck)
	must(t, queued.Delay(time.Hour))
	later := markTest(t, queued)
	<-ran
	err := d.Close()
	wants(t, "Close", err, port.Unsettled)
	if !strings.Contains(err.Error(), stuck.String()) {
		t.Errorf("error %q does not name the stream", err)
	}
	for _, w := range []struct {
		s *Stream
		t port.Ticket
	}{{stuck, behind}, {queued, later}} {
		err := w.s.Block(context.Background(), w.t)
		wants(t, w.s.String(), err, port.ErrDeviceLost)
		wantsStatus(t, w.s.String(), err, StatusTimeout)
	}
	close(release)
	d.runners.Wait()
	if behind.Reached() {
		t.Error("a mark behind a kernel that was given up landed")
	}
}

func TestCloseGivesUpOnALongDelayWithoutKeepingMemory(t *testing.T) {
	kept := hostmem.Kept()
	d := openTest(t, Config{SettleBound: time.Millisecond})
	s := newTestStream(t, d)
	must(t, s.Delay(time.Hour))
	ticket := markTest(t, s)
	must(t, d.Close())
	wants(t, "Block", s.Block(context.Background(), ticket), port.ErrDeviceLost)
	if hostmem.Kept() != kept {
		t.Error("memory was kept although nothing can write to it")
	}
}

func TestLostDeviceClosesWithoutAnError(t *testing.T) {
	d := openTest(t, Config{})
	s := newTestStream(t, d)
	must(t, s.Delay(time.Hour))
	ticket := markTest(t, s)
	blocked := make(chan error)
	go func() { blocked <- s.Block(context.Background(), ticket) }()
	must(t, d.Inject(Fault{Kind: DeviceLost, Status: 17, Name: "SOFT_ERROR_SEVENTEEN"}))
	err := <-blocked
	var e *port.Error
	if !errors.As(err, &e) || e.Driver == nil || *e.Driver != (port.Driver{Status: 17, Name: "SOFT_ERROR_SEVENTEEN"}) {
		t.Errorf("Block: %v", err)
	}
	must(t, s.Close())
	must(t, d.Close())
}

func TestCloseWaitsForLateStores(t *testing.T) {
	d := openTest(t, Config{Script: []Fault{
		{Kind: StoreLate, Mark: 1, By: time.Millisecond}, {Kind: StoreTwice, Mark: 2, By: time.Millisecond},
	}})
	s := newTestStream(t, d)
	must(t, s.Acquire())
	markTest(t, s)
	ticket := markTest(t, s)
	must(t, s.Close())
	if !ticket.Reached() || d.Stats().Stores != 3 {
		t.Errorf("%v reached: %t; stats %+v", ticket, ticket.Reached(), d.Stats())
	}
	s.Release()
	closeTest(t, d)
}

func TestSteppedCloseLosesLateStores(t *testing.T) {
	clock := new(manual.Clock)
	d := openTest(t, Config{Alarm: clock, Script: []Fault{
		{Kind: StoreLate, Mark: 1, By: us}, {Kind: StoreTwice, Mark: 2, By: us},
	}})
	s := newTestStream(t, d)
	must(t, s.Acquire())
	markTest(t, s)
	markTest(t, s)
	closeTest(t, d)
	clock.Advance(time.Second)
	if got := d.Stats(); s.Word().Load() != 0 || got.LostStores != 2 {
		t.Errorf("word %d, stats %+v", s.Word().Load(), got)
	}
	s.Release()
}

func TestConcurrentClosesAllReturnAfterTheWork(t *testing.T) {
	d := openTest(t, Config{})
	s := newTestStream(t, d)
	must(t, s.Acquire())
	defer s.Release()
	must(t, s.Delay(time.Millisecond))
	ticket := markTest(t, s)
	results := make(chan error)
	for range 8 {
		go func() {
			err := d.Close()
			if !ticket.Reached() {
				err = errors.New("Close returned before the work was done")
			}
			results <- err
		}()
	}
	for range 8 {
		must(t, <-results)
	}
}

func TestStreamCloseEndsWhenTheDeviceIsLostUnderAKernel(t *testing.T) {
	d := openTest(t, Config{})
	s := newTestStream(t, d)
	release, ran := make(chan struct{}), make(chan struct{})
	k := kernelOf(t, d, func(port.KernelCall) error {
		close(ran)
		<-release
		return nil
	})
	must(t, s.Launch(port.Launch{Kernel: k}))
	<-ran
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	must(t, d.Inject(Fault{Kind: DeviceLost}))
	wants(t, "Close of the stream", <-closed, port.ErrDeviceLost)
	close(release)
	closeTest(t, d)
	if got := d.Stats(); got.Streams != 0 || got.KeptBytes != 0 {
		t.Errorf("stats %+v", got)
	}
}

func TestSteppedCloseWaitsForAKernelOfAnotherGoroutine(t *testing.T) {
	d := openTest(t, Config{Alarm: new(manual.Clock)})
	s := newTestStream(t, d)
	release, ran := make(chan struct{}), make(chan struct{})
	k := kernelOf(t, d, func(port.KernelCall) error {
		close(ran)
		<-release
		return nil
	})
	launched := make(chan error)
	go func() { launched <- s.Launch(port.Launch{Kernel: k}) }()
	<-ran
	closed := make(chan error)
	go func() { closed <- d.Close() }()
	close(release)
	must(t, <-launched)
	must(t, <-closed)
	wantsIdle(t, s)
	if got := d.Stats(); got.Kernels != 1 || got.Dropped != 0 {
		t.Errorf("stats %+v: want one kernel, nothing dropped", got)
	}
}
