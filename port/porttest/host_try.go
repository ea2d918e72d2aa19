package porttest

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"gpureactor/port"
)

// A hostTry is one run of a case on a host. It collects faults itself, so that the
// suite can be turned on broken hosts and shown to find them.
type hostTry struct {
	port.Host
	missing error // what the host says it does not support
	begun   port.Time

	after []func()

	mu     sync.Mutex // guards what follows
	faults []string
	met    error
}

// attempt runs the case on a goroutine that fatalf can end, then closes the host.
func (t *hostTry) attempt(run func(*hostTry)) {
	t.begun = t.Now()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer t.settle()
		run(t)
	}()
	<-done
}

// settle undoes what the case did. A panic of the host is one more fault.
func (t *hostTry) settle() {
	if p := recover(); p != nil {
		t.errorf("panic: %v\n%s", p, debug.Stack())
	}
	if err := t.Close(); err != nil {
		t.errorf("Close() = %v at the end", err)
	}
	for i := len(t.after) - 1; i >= 0; i-- {
		t.after[i]()
	}
}

// cleanup has f run once the host is closed, the last one first.
func (t *hostTry) cleanup(f func()) { t.after = append(t.after, f) }

// errorf notes a fault, with the line of the case that found it.
func (t *hostTry) errorf(format string, args ...any) { t.fault(2, format, args...) }

// fatalf notes a fault and ends the case. It is called on the case's goroutine.
func (t *hostTry) fatalf(format string, args ...any) {
	t.fault(2, format, args...)
	runtime.Goexit()
}

func (t *hostTry) fault(skip int, format string, args ...any) {
	_, file, line, _ := runtime.Caller(skip)
	text := fmt.Sprintf("%s:%d: %s", filepath.Base(file), line, fmt.Sprintf(format, args...))
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults = append(t.faults, text)
}

// wantSleep sleeps until at and checks what ended it.
func (t *hostTry) wantSleep(at port.Time, want port.Wakeup) {
	got := t.SleepUntil(at)
	now := t.Now()
	switch {
	case got != want:
		t.fault(2, "SleepUntil(%d) ended by %v at %d, want %v", at, got, now, want)
	case got == port.WokeTime && now < at:
		t.fault(2, "SleepUntil(%d) returned %v at %d, %d ns early", at, got, now, at.Sub(now))
	}
}

// park parks until bound and checks the reading of the clock that comes with it.
func (t *hostTry) park(line *port.Line, ready func() bool, bound port.Time) bool {
	before := t.Now()
	hit, now := t.ParkLine(line, ready, bound)
	if after := t.Now(); now < before || now > after {
		t.fault(2, "ParkLine between %d and %d says that it is %d", before, after, now)
	}
	return hit
}

// wantPark parks until bound and checks what it returns.
func (t *hostTry) wantPark(ready func() bool, bound port.Time, want bool) {
	if got := t.park(nil, ready, bound); got != want {
		t.fault(2, "ParkLine(nil, ready, %d) = %v at %d, want %v", bound, got, t.Now(), want)
	}
}

// note keeps an error that another goroutine than the case's has met.
func (t *hostTry) note(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.met = err
}

// supported ends the case without a fault when err says that the host lacks what
// the case is about, and with one on any other error.
func (t *hostTry) supported(err error) {
	switch {
	case errors.Is(err, port.ErrNotSupported):
		t.missing = err
		runtime.Goexit()
	case err != nil:
		t.fatalf("%v", err)
	}
}

// meanwhile runs f on another goroutine after a short while, in which the case's
// own usually comes to block, and returns a function that waits for f.
func (t *hostTry) meanwhile(f func()) (wait func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		linger(500)
		f()
	}()
	return func() { <-done }
}

// tired reports whether a case that repeats itself has done enough: on a machine
// that is busy with other things, each hand-over may take a slice of the kernel's
// scheduler.
func (t *hostTry) tired(rounds int64) bool {
	const least, limit = 1000, 2 * time.Second
	return rounds >= least && t.Now().Sub(t.begun) > limit
}

// linger lets other goroutines run a number of times. How long that takes is not
// known, and no case depends on it.
func linger(times int) {
	for range times {
		runtime.Gosched()
	}
}
