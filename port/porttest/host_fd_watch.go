package porttest

import (
	"errors"
	"math"
	"math/bits"
	"os"
	"sync"
	"sync/atomic"

	"gpureactor/port"
)

func hostFDUnwatch(t *hostTry) {
	p, seen := t.pipe(), new(hostSeen)
	for range 3 {
		t.watch(p.readFD(), port.Readable, seen.note)
		p.fill()
		t.wantSleep(port.Forever, port.WokeDescriptor)
		t.unwatch(p.readFD())
		t.quiet()
		p.drain()
	}
	if seen.calls != 3 {
		t.errorf("the function ran %d times, want 3", seen.calls)
	}
}

// hostFDInside has the first of two ready functions unwatch both descriptors and
// watch a third.
func hostFDInside(t *hostTry) {
	pipes, calls := t.pipes(3), 0
	swap := func(port.Interest) {
		calls++
		t.unwatch(pipes[0].readFD())
		t.unwatch(pipes[1].readFD())
		t.watch(pipes[2].readFD(), port.Readable, func(port.Interest) { pipes[2].drain() })
	}
	for _, p := range pipes[:2] {
		t.watch(p.readFD(), port.Readable, swap)
		p.fill()
	}
	t.wantSleep(port.Forever, port.WokeDescriptor)
	if calls != 1 {
		t.errorf("%d functions ran, although the first unwatched the other", calls)
	}
	t.quiet()
	pipes[2].fill()
	t.wantSleep(port.Forever, port.WokeDescriptor)
	t.quiet()
}

func hostFDBeside(t *hostTry) {
	t.watcher()
	p, ran := t.pipe(), new(atomic.Int64)
	for range 20 {
		p.fill()
		var err error
		wait := t.meanwhile(func() {
			err = t.watcher().WatchDescriptor(p.readFD(), port.Readable, func(port.Interest) { ran.Add(1) })
			if err != nil {
				t.Wake()
			}
		})
		t.SleepUntil(port.Forever)
		wait()
		t.supported(err)
		unwatched := t.meanwhile(func() { t.unwatch(p.readFD()); t.Wake() })
		for t.SleepUntil(port.Forever) == port.WokeDescriptor {
		}
		unwatched()
		p.drain()
		t.quiet()
	}
	if ran.Load() < 20 {
		t.errorf("the function ran %d times in 20 sleeps", ran.Load())
	}
}

func hostFDChurn(t *hostTry) {
	const hands, each = 4, 100
	pipes, left, over := t.pipes(hands), new(atomic.Int64), new(atomic.Bool)
	left.Store(hands)
	t.watcher()
	var all sync.WaitGroup
	for _, p := range pipes {
		all.Go(func() {
			defer t.Wake()
			defer left.Add(-1)
			for range each {
				if err := p.served(over); err != nil {
					t.note(err)
					return
				}
			}
		})
	}
	for left.Load() > 0 && !over.Load() {
		over.Store(t.SleepUntil(port.Forever) == port.WokeClosed)
	}
	all.Wait()
	if over.Load() {
		t.errorf("the sleep says closed")
	}
	t.supported(t.met)
}

// served watches the pipe, makes it ready, waits until its function has emptied
// it, or all is over, and unwatches it.
func (p hostPipe) served(over *atomic.Bool) error {
	served := new(atomic.Bool)
	empty := func(port.Interest) { p.drain(); served.Store(true) }
	if err := p.t.watcher().WatchDescriptor(p.readFD(), port.Readable, empty); err != nil {
		return err
	}
	p.fill()
	for !served.Load() && !over.Load() {
		linger(1)
	}
	return p.t.watcher().UnwatchDescriptor(p.readFD())
}

func hostFDRefused(t *hostTry) {
	good, seen := t.pipe(), new(hostSeen)
	t.watch(good.readFD(), port.Readable, seen.note)
	for _, bad := range t.badWatches() {
		err := t.watcher().WatchDescriptor(bad.fd, bad.interest, bad.f)
		if !errors.Is(err, port.InvalidDescriptor) {
			t.errorf("WatchDescriptor with %s = %v, want an error with code %v", bad.why, err, port.InvalidDescriptor)
		}
	}
	for _, fd := range []uintptr{t.pipe().readFD(), 1 << 20, 1 << 31, math.MaxUint32, ^uintptr(0)} {
		if err := t.watcher().UnwatchDescriptor(fd); !errors.Is(err, port.InvalidDescriptor) {
			t.errorf("UnwatchDescriptor(%d), not watched, = %v, want an error with code %v", fd, err, port.InvalidDescriptor)
		}
	}
	t.quiet()
	good.fill()
	t.wantSleep(port.Forever, port.WokeDescriptor)
	if seen.calls != 1 {
		t.errorf("after refusals the good watch ran %d times, want 1", seen.calls)
	}
}

type badWatch struct {
	why      string
	fd       uintptr
	interest port.Interest
	f        func(port.Interest)
}

// badWatches returns what a host must refuse. The descriptors in them are ready
// for all interests, so that a watch that was taken shows.
func (t *hostTry) badWatches() []badWatch {
	p, blocking := t.pipe(), t.pipe()
	p.fill()
	blocking.fill()
	fd, nothing := p.readFD(), func(port.Interest) {}
	return []badWatch{
		{"no function", fd, port.Readable, nil},
		{"an empty interest", fd, 0, nothing},
		{"an unknown interest", fd, 1 << 7, nothing},
		{"a known and an unknown interest", fd, port.Readable | 1<<2, nothing},
		{"a descriptor that is not open", 1 << 20, port.Readable, nothing},
		{"a number that is no descriptor", math.MaxUint32, port.Readable, nothing},
		{"a number whose low half is a descriptor", fd | 1<<(bits.UintSize/2), port.Readable, nothing},
		{"a descriptor in blocking mode", blocking.r.Fd(), port.Readable, nothing},
		{"a regular file", t.file(), port.Readable, nothing},
	}
}

// file returns the descriptor of a regular file.
func (t *hostTry) file() uintptr {
	f, err := os.CreateTemp("", "porttest")
	if err != nil {
		t.fatalf("no file to test with: %v", err)
	}
	t.cleanup(func() { f.Close(); os.Remove(f.Name()) })
	return f.Fd()
}

func hostFDTwice(t *hostTry) {
	p, first, second := t.pipe(), new(hostSeen), new(hostSeen)
	t.watch(p.readFD(), port.Readable, first.note)
	for _, interest := range []port.Interest{port.Readable, port.Writable} {
		err := t.watcher().WatchDescriptor(p.readFD(), interest, second.note)
		if !errors.Is(err, port.InvalidDescriptor) {
			t.errorf("second WatchDescriptor = %v, want an error with code %v", err, port.InvalidDescriptor)
		}
	}
	p.fill()
	t.wantSleep(port.Forever, port.WokeDescriptor)
	if first.calls != 1 || second.calls != 0 {
		t.errorf("the first function ran %d times and the second %d, want 1 and 0", first.calls, second.calls)
	}
}

func hostFDClosed(t *hostTry) {
	p, other, seen := t.pipe(), t.pipe(), new(hostSeen)
	t.watch(p.readFD(), port.Readable, seen.note)
	p.fill()
	t.wantClose()
	t.wantSleep(port.Forever, port.WokeClosed)
	err := t.watcher().WatchDescriptor(other.readFD(), port.Readable, seen.note)
	if !errors.Is(err, port.ErrClosed) {
		t.errorf("WatchDescriptor on a closed host = %v, want an error with code %v", err, port.Closed)
	}
	if err := t.watcher().UnwatchDescriptor(p.readFD()); !errors.Is(err, port.ErrClosed) {
		t.errorf("UnwatchDescriptor on a closed host = %v, want an error with code %v", err, port.Closed)
	}
	p.drain()
	if seen.calls != 0 {
		t.errorf("the function ran %d times without a sleep", seen.calls)
	}
}
