package porttest

import (
	"io"
	"os"
	"sync"
	"sync/atomic"

	"gpureactor/port"
)

func hostCloseCases() []HostCase {
	return []HostCase{
		{Name: "close/before a sleep", Virtual: true, run: hostCloseBefore,
			Proves: "Every sleep on a closed host returns at once and says so, and a park looks once."},
		{Name: "close/during a sleep", Virtual: true, rounds: 10, run: hostCloseDuringSleep,
			Proves: "Close ends a sleep that another goroutine is in, and the sleep says so."},
		{Name: "close/during a park", Virtual: true, rounds: 10, run: hostCloseDuringPark,
			Proves: "Close ends a park that another goroutine is in."},
		{Name: "close/twice", Virtual: true, run: hostCloseTwice,
			Proves: "A second Close, and one that runs beside the first, returns nil."},
		{Name: "wake/after close", Virtual: true, run: hostWakeAfterClose,
			Proves: "Wake may be called on a closed host, and a sleep then still says closed."},
		{Name: "close/beside wakes", Virtual: true, rounds: 40, run: hostCloseBesideWakes,
			Proves: "Wakes that run beside Close write to nothing that was opened after it, and the sleep ends."},
	}
}

func hostCloseBefore(t *hostTry) {
	t.wantClose()
	for _, at := range []port.Time{port.Forever, t.Now().Add(1000), t.Now(), 0, -1} {
		t.wantSleep(at, port.WokeClosed)
	}
	t.wantPark(never, port.Forever, false)
	t.wantPark(always, port.Forever, true)
}

// wantClose closes the host, which must succeed.
func (t *hostTry) wantClose() {
	if err := t.Close(); err != nil {
		t.fault(2, "Close() = %v", err)
	}
}

func hostCloseDuringSleep(t *hostTry) {
	wait := t.meanwhile(t.wantClose)
	t.wantSleep(port.Forever, port.WokeClosed)
	wait()
}

func hostCloseDuringPark(t *hostTry) {
	closing := new(atomic.Bool)
	wait := t.meanwhile(func() { closing.Store(true); t.wantClose() })
	for !closing.Load() {
		t.wantPark(never, port.Forever, false)
		linger(1)
	}
	wait()
}

func hostCloseTwice(t *hostTry) {
	var closers sync.WaitGroup
	for range 4 {
		closers.Go(t.wantClose)
	}
	closers.Wait()
	t.wantClose()
}

func hostWakeAfterClose(t *hostTry) {
	t.Wake()
	t.wantClose()
	for range 1000 {
		t.Wake()
	}
	t.wantSleep(port.Forever, port.WokeClosed)
}

// hostCloseBesideWakes opens pipes as soon as the host is closed, so that they
// get the numbers of the descriptors that it gave back. Whatever comes out of
// them was written by a late wake.
func hostCloseBesideWakes(t *hostTry) {
	stop := new(atomic.Bool)
	var others sync.WaitGroup
	for range 3 {
		others.Go(func() {
			for !stop.Load() {
				t.Wake()
				linger(1)
			}
		})
	}
	others.Go(func() {
		for t.SleepUntil(port.Forever) != port.WokeClosed {
		}
	})
	linger(200)
	t.wantClose()
	pipes := t.pipes(4)
	linger(200)
	stop.Store(true)
	others.Wait()
	for _, p := range pipes {
		p.wantEmpty()
	}
}

// A hostPipe is a pipe whose both ends are in non-blocking mode.
type hostPipe struct {
	t    *hostTry
	r, w *os.File
}

// pipes opens n pipes, which are closed after the host.
func (t *hostTry) pipes(n int) []hostPipe {
	all := make([]hostPipe, n)
	for i := range all {
		all[i] = t.pipe()
	}
	return all
}

func (t *hostTry) pipe() hostPipe {
	r, w, err := os.Pipe()
	if err != nil {
		t.fatalf("no pipe to test with: %v", err)
	}
	t.cleanup(func() { r.Close(); w.Close() })
	return hostPipe{t, r, w}
}

// wantEmpty closes the writing end and reads what is there.
func (p hostPipe) wantEmpty() {
	p.w.Close()
	if got, err := io.ReadAll(p.r); err != nil || len(got) != 0 {
		p.t.fault(2, "a pipe opened after Close has %d bytes in it (%v)", len(got), err)
	}
}
