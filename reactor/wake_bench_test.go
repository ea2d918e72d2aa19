package reactor_test

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gpureactor/port"
	"gpureactor/reactor"
)

// BenchmarkWake is the time from a store on another processor to the waiter
// running: in a bare spin on the word and through the reactor, the arms taking
// turns, as p50 of each and as ratio to the spin. It needs two idle processors.
func BenchmarkWake(b *testing.B) {
	arms := []wakeArm{{name: "spin", await: func(_ *fakeSource, t port.Ticket) {
		for !t.Reached() {
		}
	}}}
	for name, plan := range map[string]string{"poll": pollPlan, "flag": flagPlan, "predict": predictPlan} {
		r := liveReactor(b, plan)
		streams := map[*fakeSource]*reactor.Stream{}
		arms = append(arms, wakeArm{name: name, await: func(src *fakeSource, t port.Ticket) {
			s := streams[src]
			if s == nil {
				s = liveStream(b, r, quietSource{src})
				streams[src] = s
			}
			if _, err := s.AwaitTicket(context.Background(), t, reactor.Options{Point: "p"}); err != nil {
				b.Error(err)
			}
		}})
	}
	benchWake(b, arms)
}

// quietSource keeps no book of what retired.
type quietSource struct{ *fakeSource }

func (quietSource) Retire(uint64, error) {}

type wakeArm struct {
	name  string
	await func(*fakeSource, port.Ticket)
	late  []int64
}

// benchWake has a thread of its own store 100 us after each wait began.
func benchWake(b *testing.B, arms []wakeArm) {
	const turn = 50 // waits of one arm before the next
	src := newSource(0)
	origin := time.Now()
	var armed, stored atomic.Int64
	var device sync.WaitGroup
	device.Go(func() { storeAfter(src, origin, &armed, &stored) })
	n := int64(0)
	for b.Loop() {
		for i := range arms {
			for range turn {
				n++
				t := src.ticket(uint64(n))
				armed.Store(n)
				arms[i].await(src, t)
				arms[i].late = append(arms[i].late, int64(time.Since(origin))-stored.Load())
			}
		}
	}
	armed.Store(-1)
	device.Wait()
	var spin float64
	for _, a := range arms {
		slices.Sort(a.late)
		p50 := float64(a.late[len(a.late)/2])
		if spin == 0 {
			spin = p50
		}
		b.ReportMetric(p50, a.name+"-ns")
		b.ReportMetric(p50/spin, a.name+"/spin")
	}
}

// storeAfter is the device: it spins until a number is armed, and 100 us more.
func storeAfter(src *fakeSource, origin time.Time, armed, stored *atomic.Int64) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for n := int64(1); ; n++ {
		for armed.Load() != n {
			if armed.Load() < 0 {
				return
			}
		}
		for start := time.Now(); time.Since(start) < 100*us; {
		}
		stored.Store(int64(time.Since(origin)))
		src.word.Store(uint64(n))
	}
}
