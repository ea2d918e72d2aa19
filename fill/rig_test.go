package fill_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"gpureactor/backends/soft"
	"gpureactor/fill"
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
	flagPlan    = "flag:park_us=100,backstop_us=1000"
	predictPlan = flagPlan + "+predict:margin_us=150,min_sleep_us=20,max_sleep_us=50000,window=8"
)

// rig is an executor in virtual time on a stepped soft device.
type rig struct {
	t     testing.TB
	clock *manual.Clock
	host  *manual.Host
	r     *reactor.Reactor
	dev   *soft.Device
	e     *fill.Executor
	log   []string
}

func newRig(t testing.TB, plan string, cfg fill.Config) *rig {
	t.Helper()
	g := &rig{t: t, clock: &manual.Clock{}}
	g.host = manual.NewHost(g.clock)
	var err error
	g.r, err = reactor.New(reactor.Config{
		Host: g.host, Plans: bands(t, plan), NoBackground: true, Offload: func(f func()) { f() },
	})
	g.must(err)
	g.dev, err = soft.Open(soft.Config{Alarm: g.host})
	g.must(err)
	g.e, err = fill.New(g.r, cfg)
	g.must(err)
	t.Cleanup(func() {
		g.must(g.r.Close())
		g.must(g.dev.Close())
	})
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

func (g *rig) must(err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
}

// stream returns a registered stream of the device.
func (g *rig) stream() port.Stream {
	g.t.Helper()
	s, err := g.dev.NewStream()
	g.must(err)
	_, err = g.r.Register(s)
	g.must(err)
	return s
}

// after queues d of device time on s and marks its end.
func (g *rig) after(s port.Stream, d time.Duration) port.Ticket {
	g.t.Helper()
	g.must(s.(port.Delayer).Delay(d))
	ticket, err := s.Mark()
	g.must(err)
	return ticket
}

func (g *rig) run(ctx context.Context) (fill.Stats, error) { return g.e.Run(ctx) }

// ok runs to the end and wants no error.
func (g *rig) ok() fill.Stats {
	g.t.Helper()
	stats, err := g.run(context.Background())
	g.must(err)
	return stats
}

// note writes down what happened, and when.
func (g *rig) note(format string, args ...any) {
	g.log = append(g.log, fmt.Sprintf("%v ", time.Duration(g.clock.Now()))+fmt.Sprintf(format, args...))
}

// same compares the log with what is wanted.
func (g *rig) same(want ...string) {
	g.t.Helper()
	for i := range max(len(want), len(g.log)) {
		if i >= len(want) || i >= len(g.log) || want[i] != g.log[i] {
			g.t.Fatalf("line %d: got\n  %q\nwant\n  %q", i, g.log, want)
		}
	}
}
