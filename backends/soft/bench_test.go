package soft

import (
	"context"
	"slices"
	"testing"
	"time"

	"gpureactor/internal/hostmem"
	"gpureactor/port"
)

func benchStream(b *testing.B, c Config) *Stream {
	b.Helper()
	d, err := Open(c)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := d.Close(); err != nil {
			b.Error(err)
		}
	})
	s, err := d.NewStream()
	if err != nil {
		b.Fatal(err)
	}
	return s.(*Stream)
}

func benchMark(b *testing.B, s *Stream) port.Ticket {
	t, err := s.Mark()
	if err != nil {
		b.Fatal(err)
	}
	return t
}

// BenchmarkMarkIdle is a mark on a stream at rest: the store lands in the call.
func BenchmarkMarkIdle(b *testing.B) {
	s := benchStream(b, Config{})
	b.ReportAllocs()
	for b.Loop() {
		benchMark(b, s)
	}
}

// BenchmarkDelayMarkQueued is the cost of queueing a delay and a mark behind a
// busy stream and of running them later, 512 pairs at a time.
func BenchmarkDelayMarkQueued(b *testing.B) {
	s := benchStream(b, Config{})
	open := gateTest(b, s)
	b.ReportAllocs()
	for i := 1; b.Loop(); i++ {
		if err := s.Delay(0); err != nil {
			b.Fatal(err)
		}
		benchMark(b, s)
		if i%512 == 0 {
			open()
			open = gateTest(b, s)
		}
	}
	b.StopTimer()
	open()
}

// BenchmarkDelayMarkArmed is the cost of queueing a delay and a mark on a stream
// at rest, which sets an alarm: with a spinning engine and with one to be woken.
func BenchmarkDelayMarkArmed(b *testing.B) {
	for _, delay := range []time.Duration{10 * time.Microsecond, 200 * time.Microsecond} {
		b.Run("delay="+delay.String(), func(b *testing.B) {
			s := benchStream(b, Config{SpinTail: 50 * time.Microsecond})
			var queueing []float64
			for b.Loop() {
				before := s.dev.alarm.Now()
				if err := s.Delay(delay); err != nil {
					b.Fatal(err)
				}
				t := benchMark(b, s)
				queueing = append(queueing, float64(s.dev.alarm.Now().Sub(before)))
				if err := s.Block(context.Background(), t); err != nil {
					b.Fatal(err)
				}
			}
			report(b, "queueing", queueing)
		})
	}
}

// BenchmarkStoreLateness tells how long after its time a store lands, by the
// device's own stamps.
func BenchmarkStoreLateness(b *testing.B) {
	for _, tail := range []time.Duration{0, 50 * time.Microsecond, time.Millisecond} {
		b.Run("tail="+tail.String(), func(b *testing.B) {
			page, err := hostmem.New(2)
			if err != nil {
				b.Fatal(err)
			}
			defer page.Release()
			s := benchStream(b, Config{Lines: page.Lines()[:1], Stamps: page.Lines()[1:], SpinTail: tail})
			stamp := page.Line(1).Word(s.Word().Slot())
			var late []float64
			for b.Loop() {
				late = append(late, lateness(b, s, stamp, 500*time.Microsecond))
			}
			report(b, "late", late)
		})
	}
}

func lateness(b *testing.B, s *Stream, stamp port.Word, delay time.Duration) float64 {
	before := s.dev.alarm.Now()
	if err := s.Delay(delay); err != nil {
		b.Fatal(err)
	}
	t := benchMark(b, s)
	if err := s.Block(context.Background(), t); err != nil {
		b.Fatal(err)
	}
	return float64(port.Time(stamp.Load()).Sub(before.Add(delay)))
}

func report(b *testing.B, what string, samples []float64) {
	slices.Sort(samples)
	b.ReportMetric(samples[len(samples)/2], "ns-"+what+"-p50")
	b.ReportMetric(samples[len(samples)*9/10], "ns-"+what+"-p90")
}
