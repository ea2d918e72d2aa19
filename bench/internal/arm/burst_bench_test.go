package arm

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"gpureactor/hosts/std"
	"gpureactor/port"
)

// BenchmarkBurst has 64 streams reach their targets at once, again and again: what
// a completion costs an arm when many come together, with all that its waiters do
// to wait again. Run it with -cpu 1 for a waiting side of one processor.
func BenchmarkBurst(b *testing.B) {
	for _, a := range []Arm{mustPlan(b, "poll"), relaying()} {
		b.Run(a.Name, func(b *testing.B) { burst(b, a) })
	}
}

func mustPlan(b *testing.B, text string) Arm {
	a, err := ParsePlan(text)
	if err != nil {
		b.Fatal(err)
	}
	return a
}

func burst(b *testing.B, a Arm) {
	const n = 64
	var sources [n]*wordSource
	setup := Setup{Host: func() (port.Host, error) { return std.New(std.Config{}), nil }}
	for i := range sources {
		sources[i] = &wordSource{word: new(port.Line).Word(port.Slot{}), domain: port.NewDomain("burst")}
		setup.Sources = append(setup.Sources, sources[i])
	}
	session, err := a.Open(setup)
	if err != nil {
		b.Fatal(err)
	}
	var done atomic.Int64
	var all sync.WaitGroup
	rounds := uint64(b.N)
	for i, s := range sources {
		all.Go(func() {
			for k := uint64(1); k <= rounds; k++ {
				if err := session.Wait(context.Background(), i, port.NewTicket(s.word, k)); err != nil {
					b.Error(err)
				}
				done.Add(1)
			}
		})
	}
	for k := uint64(1); k <= rounds; k++ {
		for done.Load() < int64(n*(k-1)) {
			runtime.Gosched()
		}
		for _, s := range sources {
			s.word.Store(k)
		}
	}
	all.Wait()
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*rounds), "ns/completion")
	if err := session.Close(); err != nil {
		b.Error(err)
	}
}

// A wordSource is a word and nothing else.
type wordSource struct {
	word   port.Word
	domain *port.Domain
}

func (s *wordSource) Word() port.Word                          { return s.word }
func (s *wordSource) Domain() *port.Domain                     { return s.domain }
func (s *wordSource) Acquire() error                           { return nil }
func (s *wordSource) Release()                                 {}
func (s *wordSource) Mark() (port.Ticket, error)               { return port.Ticket{}, nil }
func (s *wordSource) Status() (port.Status, error)             { return port.StatusBusy, nil }
func (s *wordSource) Block(context.Context, port.Ticket) error { return nil }
func (s *wordSource) Retire(uint64, error)                     {}
