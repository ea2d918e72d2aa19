package porttest

import (
	"sync"

	"gpureactor/port"
)

func deviceWordCases() []DeviceCase {
	return []DeviceCase{
		{"device-describes-itself",
			"Info names the backend, and says that there is no device word where sources are peekers.", describes},
		{"streams-share-the-domain",
			"Domain is never nil, the same for a device and its streams, and another for another device.", sharesDomain},
		{"marks-rise-by-one",
			"A ticket names the source's word and one number more than the ticket before.", marksRise},
		{"every-mark-is-reached",
			"The store of each mark lands, for each ticket and not only for the last.", marksReached},
		{"word-only-rises",
			"The word never falls and never runs ahead of the marks.", wordRises},
		{"streams-own-their-words",
			"Streams have words of their own, over more than one line, and move no other's.", ownWords},
		{"concurrent-marks-are-distinct",
			"Marks from many goroutines get distinct numbers without a gap, and all are reached.", concurrentMarks},
		{"status-is-idle-after-work",
			"Status says idle once all queued work has finished.", idleAfterWork},
	}
}

func describes(e *deviceEnv) {
	d, s := e.one()
	info := d.Info()
	if info.Backend == "" {
		e.t.Errorf("Info().Backend is empty")
	}
	if _, peeks := s.(port.Peeker); peeks != (info.NoDeviceWord != "") {
		e.t.Errorf("NoDeviceWord is %q, and sources are peekers: %t", info.NoDeviceWord, peeks)
	}
}

func sharesDomain(e *deviceEnv) {
	d := e.device()
	if d.Domain() == nil {
		e.t.Fatalf("the device's domain is nil")
	}
	for i := range 2 {
		if s := e.stream(d); s.Domain() != d.Domain() {
			e.t.Errorf("stream %d is of domain %v, the device of %v", i, s.Domain(), d.Domain())
		}
	}
	if other := e.device(); other.Domain() == d.Domain() {
		e.t.Errorf("two devices share domain %v", d.Domain())
	}
}

func marksRise(e *deviceEnv) {
	_, s := e.one()
	word, last := s.Word(), e.number(s)
	for range 20 {
		t := e.mark(s)
		if t.Word() != word || s.Word() != word {
			e.t.Errorf("%v is not on the stream's word, or that changed", t)
		}
		if last++; t.Target() != last {
			e.t.Errorf("target %d, want %d", t.Target(), last)
		}
	}
	e.finish(s)
}

func marksReached(e *deviceEnv) {
	_, s := e.one()
	for range 50 {
		e.busy(s)
		e.await(s, e.mark(s))
	}
}

func wordRises(e *deviceEnv) {
	_, s := e.one()
	seen := e.number(s)
	var last port.Ticket
	look := func() bool {
		now := e.number(s)
		if !port.Reached(now, seen) {
			e.t.Fatalf("the word fell from %d to %d", seen, now)
		}
		if !port.Reached(last.Target(), now) {
			e.t.Fatalf("the word reads %d, ahead of the last mark, %d", now, last.Target())
		}
		seen = now
		return now == last.Target()
	}
	for range 50 {
		e.busy(s)
		last = e.mark(s)
		look()
	}
	e.until("word reaches the last mark", look)
	s.Retire(last.Target(), nil)
}

// manyStreams is more than the words of two lines.
const manyStreams = 2*port.LineWords + 4

func ownWords(e *deviceEnv) {
	d := e.device()
	streams := make([]port.Stream, manyStreams)
	start := make(map[port.Word]uint64)
	for i := range streams {
		streams[i] = e.stream(d)
		start[streams[i].Word()] = e.number(streams[i])
	}
	if len(start) != manyStreams {
		e.t.Fatalf("%d streams have %d words", manyStreams, len(start))
	}
	for i, s := range streams {
		for range i + 1 {
			e.mark(s)
		}
	}
	for i, s := range streams {
		want := start[s.Word()] + uint64(i) + 1
		e.until("stream's own marks are reached", func() bool { return port.Reached(e.number(s), want) })
	}
	for i, s := range streams {
		if got, want := e.number(s), start[s.Word()]+uint64(i)+1; got != want {
			e.t.Errorf("stream %d of %d marks: word %d, want %d", i, i+1, got, want)
		}
	}
}

func concurrentMarks(e *deviceEnv) {
	const goroutines, each = 8, 50
	_, s := e.one()
	first := e.number(s) + 1
	targets := make([][]uint64, goroutines)
	errs := make([]error, goroutines)
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() { targets[g], errs[g] = markTimes(s, each) })
	}
	wg.Wait()
	seen := make(map[uint64]bool)
	for g := range goroutines {
		e.must("Mark", errs[g])
		for i, n := range targets[g] {
			if i > 0 && !port.Reached(n, targets[g][i-1]+1) {
				e.t.Errorf("a goroutine marked %d after %d", n, targets[g][i-1])
			}
			seen[n] = true
		}
	}
	for i := range uint64(goroutines * each) {
		if !seen[first+i] {
			e.t.Fatalf("%d marks of %d goroutines: no ticket for %d", goroutines*each, goroutines, first+i)
		}
	}
	e.await(s, port.NewTicket(s.Word(), first+goroutines*each-1))
}

func markTimes(s port.Stream, n int) ([]uint64, error) {
	var targets []uint64
	for range n {
		t, err := s.Mark()
		if err != nil {
			return nil, err
		}
		targets = append(targets, t.Target())
	}
	return targets, nil
}

func idleAfterWork(e *deviceEnv) {
	d, s := e.one()
	b := e.alloc(d, 256)
	for i := range 10 {
		e.must("Fill", s.Fill(b, 0, 256, byte(i)))
		e.busy(s)
		e.finish(s)
		e.until("status is idle", func() bool {
			status, err := s.Status()
			e.must("Status", err)
			return status == port.StatusIdle
		})
	}
}
