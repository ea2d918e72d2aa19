package porttest

import (
	"bytes"
	"os"
	"runtime"
	"time"

	"gpureactor/port"
)

func hostDescriptorCases() []HostCase {
	cases := []HostCase{
		{Name: "fd/ready before a sleep", run: hostFDBefore,
			Proves: "A descriptor that is ready before a sleep ends it, and its function runs on the sleeping goroutine with what is ready."},
		{Name: "fd/ready during a sleep", run: hostFDDuring,
			Proves: "A descriptor that becomes ready during a sleep ends it."},
		{Name: "fd/level-triggered", run: hostFDLevel,
			Proves: "Every sleep ends while the descriptor is ready, also one that is over at once, and none after it was emptied."},
		{Name: "fd/writable", run: hostFDWritable,
			Proves: "A descriptor watched for room to write ends sleeps while there is room, and not while it is full."},
		{Name: "fd/end of stream", run: hostFDEnd,
			Proves: "The end of a stream counts as readable."},
		{Name: "fd/and wakes", run: hostFDWake,
			Proves: "A ready descriptor and a waiting wake are both reported, by one sleep each."},
		{Name: "fd/many", run: hostFDMany,
			Proves: "Of many descriptors ready at once each is served after as many sleeps."},
		{Name: "fd/unwatch", run: hostFDUnwatch,
			Proves: "A descriptor that is not watched any more ends no sleep, and can be watched again."},
		{Name: "fd/from its function", run: hostFDInside,
			Proves: "A function may unwatch its own descriptor and others and watch new ones."},
		{Name: "fd/beside a sleep", run: hostFDBeside,
			Proves: "Descriptors may be watched and unwatched by other goroutines while one sleeps, and take effect in that sleep."},
		{Name: "fd/churn", run: hostFDChurn,
			Proves: "Several goroutines may watch, be served and unwatch over and over while one sleeps, and each is served."},
		{Name: "fd/refused", run: hostFDRefused,
			Proves: "What cannot be watched is refused with the code for that, and changes nothing."},
		{Name: "fd/watched twice", run: hostFDTwice,
			Proves: "A descriptor that is watched already is refused, and the first watch stays."},
		{Name: "fd/closed host", run: hostFDClosed,
			Proves: "A closed host refuses descriptors and leaves those it watched open."},
	}
	for i := range cases {
		cases[i].Descriptors = true
	}
	return cases
}

// watcher returns the host with its descriptors, or ends the case.
func (t *hostTry) watcher() port.DescriptorHost {
	w, ok := t.Host.(port.DescriptorHost)
	if !ok {
		t.supported(port.NewError(port.NotSupported, "watching descriptors", "the host is no port.DescriptorHost"))
	}
	return w
}

// watch watches fd, which the host must take.
func (t *hostTry) watch(fd uintptr, interest port.Interest, f func(port.Interest)) {
	t.supported(t.watcher().WatchDescriptor(fd, interest, f))
}

// unwatch forgets fd, which must be watched.
func (t *hostTry) unwatch(fd uintptr) {
	if err := t.watcher().UnwatchDescriptor(fd); err != nil {
		t.fault(2, "UnwatchDescriptor(%d) = %v", fd, err)
	}
}

// quiet checks that nothing ends a short sleep but time.
func (t *hostTry) quiet() {
	at := t.Now().Add(200 * time.Microsecond)
	if got := t.SleepUntil(at); got != port.WokeTime {
		t.fault(2, "a short sleep with nothing ready ended by %v, want %v", got, port.WokeTime)
	}
}

// fdOf returns the number of f and leaves its mode alone, which f.Fd does not.
func (t *hostTry) fdOf(f *os.File) (fd uintptr) {
	raw, err := f.SyscallConn()
	if err == nil {
		err = raw.Control(func(n uintptr) { fd = n })
	}
	if err != nil {
		t.fatalf("no descriptor to test with: %v", err)
	}
	return fd
}

func (p hostPipe) readFD() uintptr  { return p.t.fdOf(p.r) }
func (p hostPipe) writeFD() uintptr { return p.t.fdOf(p.w) }

// fill makes the reading end ready.
func (p hostPipe) fill() {
	if _, err := p.w.Write([]byte{1}); err != nil {
		p.t.errorf("write to pipe: %v", err)
	}
}

// drain takes out one byte, which must be there.
func (p hostPipe) drain() {
	if _, err := p.r.Read(make([]byte, 1)); err != nil {
		p.t.errorf("read from pipe: %v", err)
	}
}

// A hostSeen notes the calls of a watch's function.
type hostSeen struct {
	calls     int
	ready     port.Interest
	goroutine string
}

func (s *hostSeen) note(ready port.Interest) {
	s.calls++
	s.ready = ready
	s.goroutine = goroutineName()
}

// goroutineName returns "goroutine N", which heads a goroutine's own stack.
func goroutineName() string {
	stack := make([]byte, 64)
	stack = stack[:runtime.Stack(stack, false)]
	return string(bytes.Join(bytes.Fields(stack)[:2], []byte(" ")))
}

func hostFDBefore(t *hostTry) {
	p, seen := t.pipe(), new(hostSeen)
	t.watch(p.readFD(), port.Readable, seen.note)
	t.quiet()
	p.fill()
	t.wantSleep(port.Forever, port.WokeDescriptor)
	if want := (hostSeen{1, port.Readable, goroutineName()}); *seen != want {
		t.errorf("the function saw %+v, want %+v", *seen, want)
	}
}

func hostFDDuring(t *hostTry) {
	p := t.pipe()
	t.watch(p.readFD(), port.Readable, func(port.Interest) { p.drain() })
	for range 50 {
		wait := t.meanwhile(p.fill)
		t.wantSleep(port.Forever, port.WokeDescriptor)
		wait()
	}
	t.quiet()
}

func hostFDLevel(t *hostTry) {
	p, seen := t.pipe(), new(hostSeen)
	t.watch(p.readFD(), port.Readable, seen.note)
	p.fill()
	for _, at := range []port.Time{port.Forever, t.Now().Add(time.Second), t.Now(), 0, -1} {
		t.wantSleep(at, port.WokeDescriptor)
	}
	if seen.calls != 5 {
		t.errorf("the function ran %d times in 5 sleeps", seen.calls)
	}
	p.drain()
	t.quiet()
}

func hostFDWritable(t *hostTry) {
	p, seen := t.pipe(), new(hostSeen)
	t.watch(p.writeFD(), port.Writable, seen.note)
	t.wantSleep(port.Forever, port.WokeDescriptor)
	if seen.calls != 1 || seen.ready != port.Writable {
		t.errorf("the function saw %+v, want one call with %v", *seen, port.Writable)
	}
	if !p.fillUp() {
		t.fatalf("an empty pipe has no room, or one with 64 MiB in it still has")
	}
	t.quiet()
	wait := t.meanwhile(func() { p.r.Read(make([]byte, 1<<20)) })
	t.wantSleep(port.Forever, port.WokeDescriptor)
	wait()
}

// fillUp writes for as long as sleeps say that there is room, and reports whether
// that came to an end, and not at once. A write of 512 bytes takes all its room or
// none on every system.
func (p hostPipe) fillUp() bool {
	piece := make([]byte, 512)
	for i := range 1 << 17 {
		if p.t.SleepUntil(p.t.Now()) != port.WokeDescriptor {
			return i > 0
		}
		p.w.Write(piece)
	}
	return false
}

func hostFDEnd(t *hostTry) {
	p, seen := t.pipe(), new(hostSeen)
	t.watch(p.readFD(), port.Readable, seen.note)
	wait := t.meanwhile(func() { p.w.Close() })
	t.wantSleep(port.Forever, port.WokeDescriptor)
	wait()
	if seen.ready != port.Readable {
		t.errorf("the function saw %+v, want readable", *seen)
	}
}

// hostFDWake drains in the function, so that each reason is there once.
func hostFDWake(t *hostTry) {
	p := t.pipe()
	t.watch(p.readFD(), port.Readable, func(port.Interest) { p.drain() })
	for range 20 {
		p.fill()
		t.Wake()
		count := map[port.Wakeup]int{}
		for range 2 {
			count[t.SleepUntil(port.Forever)]++
		}
		if count[port.WokeCall] != 1 || count[port.WokeDescriptor] != 1 {
			t.errorf("two sleeps ended by %v, want one wake and one descriptor", count)
		}
		t.quiet()
	}
}

func hostFDMany(t *hostTry) {
	const many = 100
	pipes := t.pipes(many)
	served := 0
	for _, p := range pipes {
		t.watch(p.readFD(), port.Readable, func(port.Interest) { p.drain(); served++ })
		p.fill()
	}
	for range many {
		if served < many {
			t.wantSleep(port.Forever, port.WokeDescriptor)
		}
	}
	if served != many {
		t.errorf("%d of %d ready descriptors served in %d sleeps", served, many, many)
	}
	t.quiet()
}
