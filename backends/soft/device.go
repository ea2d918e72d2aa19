package soft

import (
	"context"
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
	opened port.Time

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
	d.words = words{lines: config.Lines, stamps: config.Stamps, given: len(config.Lines) > 0}
	if d.alarm = config.Alarm; d.alarm == nil {
		d.engine = startEngine(platform.NewClock(), config.SpinTail)
		d.alarm = d.engine
	}
	d.opened = d.alarm.Now()
	for _, f := range config.Script {
		d.inject(f, d.opened)
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
	if err := d.failure(); err != nil {
		return nil, err
	}
	s, err := d.newStream()
	if err != nil {
		return nil, err
	}
	d.counters.streams.Add(1)
	return s, nil
}

func (d *Device) newStream() (*Stream, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.state != deviceOpen {
		return nil, d.closedError()
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

// failure returns the sticky error of a lost device, else nil.
func (d *Device) failure() error {
	if err := d.fault.Load(); err != nil {
		return err
	}
	return nil
}

func (d *Device) closedError() error { return port.NewError(port.Closed, "device "+d.name) }

// lose makes err the device's sticky error, unless it has one, and ends all that
// is queued and all who wait. No stream's mutex may be held.
func (d *Device) lose(err *port.Error) {
	if !d.fault.CompareAndSwap(nil, err) {
		return
	}
	for _, s := range d.openStreams() {
		s.abandon()
	}
}

func (d *Device) openStreams() []*Stream {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.streams)
}

// lost returns the sticky error of a device that is lost with a driver status.
func (d *Device) lost(how string, status int64, name string) *port.Error {
	return port.NewError(port.DeviceLost, d.name, how).WithDriver(status, name)
}

// Close waits for queued work, then frees streams, modules and memory. It opens
// gates that were left shut.
//
// A live device that has not come to rest within Config.SettleBound is given up
// as lost. A stepped one cannot wait for its clock: work that needs the clock to
// move is dropped and its waits fail with ErrClosed. If a kernel still runs, or
// the script says so, memory is kept on purpose and the error has code
// Unsettled. A lost device closes without an error. A second Close does nothing,
// waits for the first and returns nil.
func (d *Device) Close() error {
	d.closing.Lock()
	defer d.closing.Unlock()
	if !d.enterClosing() {
		return nil
	}
	streams := d.openStreams()
	for _, s := range streams {
		s.shut()
	}
	why := d.settle(streams)
	if d.engine != nil {
		d.engine.close()
	}
	if why == "" {
		d.runners.Wait()
	}
	for _, s := range streams {
		s.finish()
	}
	return d.free(why)
}

func (d *Device) enterClosing() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.state != deviceOpen {
		return false
	}
	d.state = deviceClosing
	return true
}

// settle waits until all streams are at rest with nothing queued, and returns why
// memory must be kept, "" when it need not.
func (d *Device) settle(streams []*Stream) (why string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if d.engine != nil {
		d.alarm.At(d.alarm.Now().Add(d.config.SettleBound), cancel)
	}
	if !drained(ctx, streams) {
		d.lose(d.lost("its work did not end within "+d.config.SettleBound.String()+" of Close",
			StatusTimeout, StatusName(StatusTimeout)))
		if busy := running(streams); busy != "" {
			return busy + " still runs a kernel or a copy"
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.unsettle != nil {
		_, name := d.unsettle.driver()
		return name
	}
	return ""
}

func drained(ctx context.Context, streams []*Stream) bool {
	for _, s := range streams {
		if s.drain(ctx) != nil {
			return false
		}
	}
	return true
}

func running(streams []*Stream) string {
	for _, s := range streams {
		if s.isDriven() {
			return s.String()
		}
	}
	return ""
}

// free lets go of the device's memory, or keeps it on purpose and says why.
func (d *Device) free(why string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.state = deviceClosed
	kept := d.words.close(why != "")
	if why == "" {
		d.memory.free()
		return nil
	}
	kept += d.memory.bytes()
	d.counters.keptBytes.Add(kept)
	err := port.NewError(port.Unsettled, "device "+d.name, why, strconv.FormatInt(kept, 10))
	if d.unsettle != nil {
		err = err.WithDriver(d.unsettle.driver())
	}
	return err
}
