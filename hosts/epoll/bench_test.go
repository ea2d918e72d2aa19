package epoll_test

import (
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gpureactor/hosts/epoll"
	"gpureactor/hosts/std"
	"gpureactor/internal/platform"
	"gpureactor/port"
)

// A sample is what one operation took, and reports it by percentiles.
type sample []time.Duration

func (s sample) report(b *testing.B) {
	slices.Sort(s)
	for _, p := range []struct {
		name string
		part float64
	}{{"p50-ns", 0.50}, {"p90-ns", 0.90}, {"p99-ns", 0.99}} {
		b.ReportMetric(float64(s[int(p.part*float64(len(s)-1))]), p.name)
	}
}

// An arm is one way to sleep until a time.
type arm struct {
	name  string
	sleep func(at port.Time)
}

func sleepArms(b *testing.B, clock port.Clock) []arm {
	host := func(cfg epoll.Config) func(port.Time) {
		cfg.Clock = clock
		h := open(b, cfg)
		b.Cleanup(func() { h.Close() })
		return func(at port.Time) { h.SleepUntil(at) }
	}
	portable := std.New(std.Config{Clock: clock})
	b.Cleanup(func() { portable.Close() })
	return []arm{
		{"epoll", host(epoll.Config{})},
		{"epoll-one-stage", host(epoll.Config{OneStage: true})},
		{"epoll-no-timerfd", host(epoll.Config{NoTimerFD: true})},
		{"std", func(at port.Time) { portable.SleepUntil(at) }},
		{"time.Sleep", func(at port.Time) { time.Sleep(at.Sub(clock.Now())) }},
	}
}

// BenchmarkOvershoot measures how late sleeps end. The time of an operation is of
// no interest, its percentiles are.
func BenchmarkOvershoot(b *testing.B) {
	clock := platform.NewClock()
	for _, arm := range sleepArms(b, clock) {
		for _, length := range []time.Duration{20e3, 300e3, 1e6, 5e6} {
			b.Run(arm.name+"/"+length.String(), func(b *testing.B) {
				var late sample
				for b.Loop() {
					at := clock.Now().Add(length)
					arm.sleep(at)
					late = append(late, clock.Now().Sub(at))
				}
				late.report(b)
			})
		}
	}
}

// BenchmarkWake measures from a wake, on another goroutine, of a host that has
// slept for a while, to the return of its sleep.
func BenchmarkWake(b *testing.B) {
	clock := platform.NewClock()
	for _, host := range []port.Host{open(b, epoll.Config{Clock: clock}), std.New(std.Config{Clock: clock})} {
		b.Cleanup(func() { host.Close() })
		for _, rest := range []time.Duration{30e3, 1e6} {
			b.Run(host.Info().Name+"/"+rest.String(), func(b *testing.B) {
				var latency sample
				var woken atomic.Int64
				do := workerAfter(b, clock, func() { woken.Store(int64(clock.Now())); host.Wake() })
				for b.Loop() {
					do(clock.Now().Add(rest))
					host.SleepUntil(port.Forever)
					latency = append(latency, clock.Now().Sub(port.Time(woken.Load())))
				}
				latency.report(b)
			})
		}
	}
}

// workerAfter returns a function that has f run at a time on another goroutine,
// which sleeps until then.
func workerAfter(b *testing.B, clock port.Clock, f func()) func(at port.Time) {
	sleeper := platform.NewSleeper(clock)
	orders := make(chan port.Time, 1)
	b.Cleanup(func() { close(orders); sleeper.Close() })
	go func() {
		for at := range orders {
			sleeper.SleepUntil(at)
			f()
		}
	}()
	return func(at port.Time) { orders <- at }
}

// BenchmarkWakeAwake measures wakes that find nobody asleep.
func BenchmarkWakeAwake(b *testing.B) {
	host := open(b, epoll.Config{})
	defer host.Close()
	for b.Loop() {
		host.Wake()
	}
}

// BenchmarkPark measures from a store on another goroutine to the end of a park,
// and of loops that a caller might write instead, on idle processors and with one
// kept busy.
func BenchmarkPark(b *testing.B) {
	clock := platform.NewClock()
	host := open(b, epoll.Config{Clock: clock})
	b.Cleanup(func() { host.Close() })
	arms := []struct {
		name string
		park func(ready func() bool)
	}{
		{"spin", func(ready func() bool) {
			for !ready() {
			}
		}},
		{"yield", func(ready func() bool) {
			for !ready() {
				runtime.Gosched()
			}
		}},
		{"park", func(ready func() bool) { host.ParkLine(nil, ready, port.Forever) }},
	}
	for _, others := range []string{"idle", "busy"} {
		for _, arm := range arms {
			for _, delay := range []time.Duration{10e3, 200e3} {
				b.Run(strings.Join([]string{arm.name, others, delay.String()}, "/"), func(b *testing.B) {
					benchmarkPark(b, clock, others == "busy", delay, arm.park)
				})
			}
		}
	}
}

func benchmarkPark(b *testing.B, clock port.Clock, busy bool, delay time.Duration, park func(func() bool)) {
	if busy {
		keepBusy(b)
	}
	var latency sample
	var word atomic.Int64
	do := workerAfter(b, clock, func() { word.Store(int64(clock.Now())) })
	for b.Loop() {
		word.Store(0)
		do(clock.Now().Add(delay))
		park(func() bool { return word.Load() != 0 })
		latency = append(latency, clock.Now().Sub(port.Time(word.Load())))
	}
	latency.report(b)
}

// keepBusy has a goroutine compute until the benchmark ends.
func keepBusy(b *testing.B) {
	var stop atomic.Bool
	b.Cleanup(func() { stop.Store(true) })
	go func() {
		for !stop.Load() {
		}
	}()
}
