package remote

import (
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"

	"gpureactor/internal/hostmem"
	"gpureactor/port"
)

// Config says what to open.
type Config struct {
	// Streams is the number of streams: 1 to MaxStreams. Required.
	Streams int
	// Command is the program to run and its arguments, which end in
	// ChildArgument. Required.
	Command []string
	// Clock is what times are read from. Required. Its readings must compare with
	// those of the child's host, as those of internal/platform do on unix.
	Clock port.Clock
}

// A Device is a child process and its streams. Its methods may be called from any
// goroutine.
type Device struct {
	clock   port.Clock
	domain  *port.Domain
	layout  layout
	bell    port.Word
	child   *exec.Cmd
	stderr  tailBuffer
	streams []*Stream

	links    *links
	doorbell int // descriptor
	// rung is the last sleep of the child that somebody rang for.
	rung atomic.Uint64
	// lost is closed, after failed was written, when the child is gone.
	lost     chan struct{}
	failed   error
	watching sync.WaitGroup

	mu     sync.Mutex // guards what follows
	closed bool
}

// Open starts the child and returns once it serves. It fails with ErrNotSupported
// where processes share no memory, with ErrInvalidConfig on a field out of bounds,
// and with ErrDeviceLost when the child ends at once.
func Open(cfg Config) (*Device, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	page, file, err := hostmem.NewShared(pageLines(cfg.Streams))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	d := &Device{
		clock: cfg.Clock, domain: port.NewDomain("soft device of a child process"),
		layout: layout{page, cfg.Streams}, lost: make(chan struct{}),
	}
	d.bell = d.layout.bell()
	if err := d.start(cfg, file); err != nil {
		page.Release()
		return nil, err
	}
	return d, nil
}

func (c Config) check() error {
	switch {
	case len(c.Command) == 0:
		return port.NewError(port.InvalidConfig, "remote.Config.Command", "empty", "a program")
	case c.Clock == nil:
		return port.NewError(port.InvalidConfig, "remote.Config.Clock", "nil", "a clock")
	}
	return checkStreams(c.Streams)
}

func checkStreams(n int) error {
	if n < 1 || n > MaxStreams {
		return port.NewError(port.OutOfRange, "number of streams", strconv.Itoa(n), "1 to "+strconv.Itoa(MaxStreams))
	}
	return nil
}

// Streams returns the streams.
func (d *Device) Streams() []*Stream { return d.streams }

// Domain returns what all streams fail together with.
func (d *Device) Domain() *port.Domain { return d.domain }

// Lost is closed when the child is gone: killed, failed or closed.
func (d *Device) Lost() <-chan struct{} { return d.lost }

// Err returns nil while the child lives, then an error with code DeviceLost that
// says how it ended.
func (d *Device) Err() error {
	select {
	case <-d.lost:
		return d.failed
	default:
		return nil
	}
}

// Process returns the child, to be put on a core or, in tests, to death.
func (d *Device) Process() *os.Process { return d.child.Process }

// ring wakes the child if it sleeps, once a sleep.
func (d *Device) ring() {
	sleep := d.bell.Load()
	if sleep == 0 || d.rung.Swap(sleep) == sleep {
		return
	}
	ring(d.doorbell)
}

// Close ends the child, waits for it, and fails all waits that are left. It kills
// a child that has not ended after two seconds. A second Close does nothing. The
// error is always nil.
func (d *Device) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil
	}
	d.closed = true
	d.end()
	d.layout.page.Release()
	return nil
}

// acquire adds a reference to the page.
func (d *Device) acquire() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return port.NewError(port.Closed, "device")
	}
	d.layout.page.Retain()
	return nil
}
