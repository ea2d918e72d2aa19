package soft

import (
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"gpureactor/internal/platform"
	"gpureactor/port"
)

// ordinals numbers the devices of the process, for their names.
var ordinals atomic.Int64

// A Device is an open soft device. All methods may be called from any goroutine.
type Device struct {
	name   string
	config Config // complete
	domain *port.Domain
	alarm  port.Alarm
	engine *engine // nil for a stepped device

	// fault is what the device was lost by: set once, sticky.
	fault    atomic.Pointer[port.Error]
	counters counters
	memory   memory
	// runners counts the goroutines of streams. None starts once all streams
	// are closed and drained.
	runners sync.WaitGroup

	closing sync.Mutex // held by Close; taken before mu

	mu       sync.Mutex // guards what follows; never held with a stream's
	state    deviceState
	streams  []*Stream // those not closed
	opens    int       // streams opened so far
	words    words
	script   []*scripted
	unsettle *Fault // makes Close fail to settle, or nil
}

type deviceState uint8

const (
	deviceOpen    deviceState = iota
	deviceClosing             // Close refuses new work and settles what is queued
	deviceClosed
)

var _ port.Device = (*Device)(nil)

// Open opens a device. It refuses a bad config with ErrInvalidConfig and does not
// block. The caller closes the device.
func Open(config Config) (*Device, error) {
	config, err := config.complete()
	if err != nil {
		return nil, err
	}
	name := "soft#" + strconv.FormatInt(ordinals.Add(1), 10)
	d := &Device{name: name, config: config, domain: port.NewDomain(name)}
	d.memory.limit = config.MemoryBytes
	d.words = newWords(config.Lines, config.Stamps)
	if d.alarm = config.Alarm; d.alarm == nil {
		d.engine = startEngine(platform.NewClock(), config.SpinTail)
		d.alarm = d.engine
	}
	opened := d.alarm.Now()
	for _, f := range config.Script {
		d.inject(f, opened)
	}
	return d, nil
}

// String returns the device's name, such as "soft#1". No two devices of a
// process have the same.
func (d *Device) String() string { return d.name }

// Domain returns the device's one domain: all of its streams fail together.
func (d *Device) Domain() *port.Domain { return d.domain }

// Clock returns the clock that the device lives by and stamps with. On unix that
// of a live device compares with those of other processes.
func (d *Device) Clock() port.Clock { return d.alarm }

// Info describes the device.
func (d *Device) Info() port.DeviceInfo {
	driver := "soft, stepped"
	if d.engine != nil {
		driver = "soft, live on " + d.engine.sleeper.Means()
	}
	return port.DeviceInfo{
		Backend: "soft", Name: d.name, Driver: driver, MemoryBytes: d.config.MemoryBytes,
	}
}

// NewStream returns a stream, which is a *[Stream]: a port.Delayer and a
// port.Gater too. It fails with ErrOutOfRange when Config.Lines has no word left.
func (d *Device) NewStream() (port.Stream, error) {
	s, err := d.newStream()
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (d *Device) newStream() (*Stream, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.state != deviceOpen {
		return nil, d.closedError()
	}
	if err := d.failure(); err != nil {
		return nil, err
	}
	cell, err := d.words.take()
	if err != nil {
		return nil, err
	}
	s := newStream(d, d.opens, cell)
	for _, f := range d.script {
		s.script.add(f, s.number)
	}
	d.opens++
	d.counters.streams.Add(1)
	d.streams = append(d.streams, s)
	return s, nil
}

// forget takes a closed stream off the list.
func (d *Device) forget(s *Stream) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.Index(d.streams, s); i >= 0 {
		d.streams = slices.Delete(d.streams, i, i+1)
		d.counters.streams.Add(-1)
	}
}

// usable returns why the device takes no calls, nil when it does.
func (d *Device) usable() error {
	d.mu.Lock()
	state := d.state
	d.mu.Unlock()
	if state != deviceOpen {
		return d.closedError()
	}
	return d.failure()
}

func (d *Device) closedError() error { return port.NewError(port.Closed, "device "+d.name) }
