package reactor_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"gpureactor/port/manual"
	"gpureactor/reactor"
)

// BenchmarkTurn is one turn that finds nothing, over 64 sources with few and with
// very many waits pending: the cost must be that of the sources.
func BenchmarkTurn(b *testing.B) {
	for _, pending := range []int{64, 100_000} {
		b.Run(fmt.Sprintf("sources=64/pending=%d", pending), func(b *testing.B) {
			r, _, sources := benchReactor(b, 64)
			q := r.NewQueue()
			for i := range pending {
				src := sources[i%64]
				t, _ := src.Mark()
				if err := q.Watch(t, reactor.Options{}, 0); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Poll(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCompletion is a batch of waits over 64 sources. ns/completion is the turn
// that harvests them, retires them at their sources and fires them; ns/wait is the
// whole way of a wait, from its mark to its being handed out.
func BenchmarkCompletion(b *testing.B) {
	for _, perSource := range []int{1, 16, 1600} {
		b.Run(fmt.Sprintf("sources=64/batch=%d", 64*perSource), func(b *testing.B) {
			r, _, sources := benchReactor(b, 64)
			batch := &batch{b: b, r: r, q: r.NewQueue(), sources: sources, done: make([]reactor.Completion, 1024)}
			batch.run(perSource)
			batch.turning = 0
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				batch.run(perSource)
				n += 64 * perSource
			}
			b.ReportMetric(float64(batch.turning.Nanoseconds())/float64(n), "ns/completion")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/wait")
		})
	}
}

// batch runs waits in batches and adds up the time of the turns that end them.
type batch struct {
	b       *testing.B
	r       *reactor.Reactor
	q       *reactor.Queue
	sources []*fakeSource
	done    []reactor.Completion
	turning time.Duration
}

func (x *batch) run(perSource int) {
	for _, src := range x.sources {
		for range perSource {
			t, _ := src.Mark()
			if err := x.q.Watch(t, reactor.Options{}, 0); err != nil {
				x.b.Fatal(err)
			}
		}
	}
	for _, src := range x.sources {
		src.word.Store(src.marked)
	}
	start := time.Now()
	if _, err := x.r.Poll(); err != nil {
		x.b.Fatal(err)
	}
	x.turning += time.Since(start)
	for x.q.Poll(x.done).N == len(x.done) {
	}
}

// BenchmarkAwait is mark and wait on a device that is done at once, and through
// the loop on one that is done after the registration.
func BenchmarkAwait(b *testing.B) {
	ctx := context.Background()
	b.Run("reached", func(b *testing.B) {
		r := liveReactor(b, pollPlan)
		s := liveStream(b, r, selfStoring{newSource(0)})
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.Await(ctx, "p"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("turned", func(b *testing.B) {
		r := liveReactor(b, pollPlan)
		src := newSource(0)
		s := liveStream(b, r, src)
		var f reactor.Future
		n := uint64(0)
		b.ReportAllocs()
		for b.Loop() {
			n++
			if err := s.WatchInto(&f, src.ticket(n), reactor.Options{}); err != nil {
				b.Fatal(err)
			}
			src.word.Store(n)
			if err := f.Wait(ctx); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// benchReactor is a reactor in virtual time with n sources.
func benchReactor(b *testing.B, n int) (*reactor.Reactor, []*reactor.Stream, []*fakeSource) {
	b.Helper()
	r, err := reactor.New(reactor.Config{
		Host: manual.NewHost(&manual.Clock{}), Plans: bands(b, flagPlan), NoBackground: true,
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { r.Close() })
	var streams []*reactor.Stream
	var sources []*fakeSource
	for i := range n {
		src := newSource(i % 8)
		sources = append(sources, src)
		streams = append(streams, liveStream(b, r, src))
	}
	return r, streams, sources
}
