package soft

import (
	"strconv"
	"sync"

	"gpureactor/port"
)

// A Stream is a queue of work that runs in order, and the source for waiting on
// it. All methods may be called from any goroutine.
type Stream struct {
	dev    *Device
	number int
	cell   cell // its last is guarded by mu

	onAlarm func() // s.alarm and s.landHeld, made once
	onHeld  func()

	mu      sync.Mutex // guards what follows; free while a heavy task runs
	queue   queue
	driven  bool // somebody runs the queue's head
	running bool // ... which is a task, and mu is free
	// now is how far the stream has come in device time: a delay starts where
	// the work before it ended, not when somebody noticed. idle says that it is
	// out of date and the clock has to be read.
	now  port.Time
	idle bool

	done    uint64 // the number of the last mark whose work has finished
	stores  stores
	script  script
	waiters waiters

	copies    []*copyOutTask // copies out not retired, the oldest first
	retired   uint64
	retireErr error

	closed bool  // Close was called
	ended  error // what Close dropped work with, or nil
	holds  int   // Acquire less Release
	gone   bool  // the word was given back
}

var (
	_ port.Stream  = (*Stream)(nil)
	_ port.Delayer = (*Stream)(nil)
	_ port.Gater   = (*Stream)(nil)
)

func newStream(d *Device, number int, c cell) *Stream {
	s := &Stream{dev: d, number: number, cell: c, done: c.last, retired: c.last, idle: true}
	s.onAlarm, s.onHeld = s.alarm, s.landHeld
	return s
}

// Number returns the stream's number on its device: 0 for the first one opened.
// It is what Fault.Stream means.
func (s *Stream) Number() int { return s.number }

// String names the stream, as "soft#1/stream0".
func (s *Stream) String() string { return s.dev.name + "/stream" + strconv.Itoa(s.number) }

// Word returns the stream's word.
func (s *Stream) Word() port.Word { return s.cell.word }

// Domain returns the device's domain.
func (s *Stream) Domain() *port.Domain { return s.dev.domain }

// usable returns why the stream takes no work, nil when it does. mu is held.
func (s *Stream) usable() error {
	if s.closed {
		return s.closedError()
	}
	return s.dev.failure()
}

func (s *Stream) closedError() error { return port.NewError(port.Closed, "stream "+s.String()) }

// Status answers at once: idle when nothing is queued, the device's sticky error
// once it is lost, and the errors of the fault script. Of a closed stream it
// tells how its work ended: idle, or what dropped it.
func (s *Stream) Status() (port.Status, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.failure(); err != nil {
		return port.StatusBusy, err
	}
	if f := s.script.failingStatus(s.dev.alarm); f != nil {
		s.dev.counters.faults.Add(1)
		status, name := f.driver()
		return port.StatusBusy, port.DriverError("status of "+s.String(), status, name)
	}
	if s.queue.len() > 0 {
		return port.StatusBusy, nil
	}
	return port.StatusIdle, nil
}

// failure returns what the stream failed with, else nil. mu is held.
func (s *Stream) failure() error {
	if s.ended != nil {
		return s.ended
	}
	if s.closed && s.queue.len() == 0 {
		return nil
	}
	return s.dev.failure()
}
