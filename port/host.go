package port

// Wakeup says what ended a sleep.
type Wakeup uint8

const (
	// WokeTime: the clock reads the time asked for, or later.
	WokeTime Wakeup = iota
	// WokeCall: Wake was called.
	WokeCall
	// WokeDescriptor: a watched descriptor became ready and its function ran.
	WokeDescriptor
	// WokeClosed: the host is closed.
	WokeClosed
)

// String returns "time", "call", "descriptor" or "closed".
func (w Wakeup) String() string {
	switch w {
	case WokeTime:
		return "time"
	case WokeCall:
		return "call"
	case WokeDescriptor:
		return "descriptor"
	case WokeClosed:
		return "closed"
	}
	return "wakeup(unknown)"
}

// A Host is what a reactor idles on. SleepUntil and ParkLine are called by one
// goroutine at a time; Wake, Now and Close by any.
//
// A wake is a single sticky token. Wake puts it there if it is not; the next
// SleepUntil or ParkLine that finds it takes it and returns. So a wake before a
// sleep is not lost, and any number of wakes in one sleep end one sleep.
type Host interface {
	Clock

	// SleepUntil blocks until the clock reads at or later, a wake, a ready
	// descriptor, or the host is closed, and says which. It never returns
	// WokeTime early. A time that has passed, and any negative one, returns
	// without a sleep, WokeCall if a wake was waiting. Forever sleeps without a
	// timer. It allocates nothing.
	SleepUntil(at Time) Wakeup

	// ParkLine watches memory: it returns once ready reports true, a wake was
	// called, the host is closed or the clock reads bound, and reports what
	// ready said last. ready is called at once and then as often as the host
	// can; it must only load words. line is what a hardware monitor is armed on,
	// so the memory that ready looks at should lie in it; a nil line says that
	// it is spread, and the host then looks itself without resting the core. It
	// may return early with false: callers loop. now is a reading of the clock
	// from during the call, and as late in it as comes for free: when ready hit,
	// it may be some looks old, so that whoever was waited for is not held up by
	// another reading. It is bound or later when the bound ended the park. It
	// allocates nothing.
	ParkLine(line *Line, ready func() bool, bound Time) (hit bool, now Time)

	// Wake ends the current SleepUntil or ParkLine, or else the next one. It
	// never blocks and may be called after Close.
	Wake()

	// Info says what the host is made of.
	Info() HostInfo

	// Close ends a sleep with WokeClosed and frees what the host holds, once no
	// call is inside it. A second Close does nothing and returns nil.
	Close() error
}

// HostInfo says by what means a host sleeps, wakes and parks.
type HostInfo struct {
	// Name is the name that selects the host, such as "std" or "epoll".
	Name string
	// Timer, Wake and Park name the mechanisms, such as "timerfd", "eventfd" and
	// "yield".
	Timer, Wake, Park string
	// ParksInHardware says whether the core rests while it is parked.
	ParksInHardware bool
	// NoWordWait says why the host cannot watch words at all; empty when it can.
	NoWordWait string
}

// Interest says what of a descriptor to wait for.
type Interest uint8

const (
	// Readable waits for data, a connection or the end of the stream.
	Readable Interest = 1 << iota
	// Writable waits for room to write.
	Writable
)

// A DescriptorHost also ends its sleep when a file descriptor is ready.
type DescriptorHost interface {
	Host
	// WatchDescriptor registers fd until UnwatchDescriptor or Close. While fd is
	// ready, every SleepUntil ends with WokeDescriptor after it ran f with what
	// is ready; f runs on the sleeping goroutine, must not block and may call
	// WatchDescriptor and UnwatchDescriptor. fd must be in non-blocking mode and
	// stays the caller's. It refuses a nil f, an empty or unknown interest, a
	// descriptor that is not open or cannot be polled, and one that is watched
	// already. It may be called from any goroutine.
	WatchDescriptor(fd uintptr, interest Interest, f func(ready Interest)) error
	// UnwatchDescriptor forgets fd. It must be called before fd is closed. When
	// it returns, f will not start again.
	UnwatchDescriptor(fd uintptr) error
}
