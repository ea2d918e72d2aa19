package soft

import (
	"slices"
	"strconv"
	"sync"
	"time"

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

// Acquire keeps the word's memory mapped until the matching Release, unless the
// lines are the caller's own. It costs a lock, and allocates nothing.
func (s *Stream) Acquire() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return s.closedError()
	}
	s.holds++
	return nil
}

// Release gives back one Acquire. The last one of a closed stream lets another
// stream have the word, and unmaps its page if the device is closed too.
func (s *Stream) Release() {
	s.mu.Lock()
	if s.holds--; s.holds < 0 {
		s.mu.Unlock()
		panic("BUG: soft: " + s.String() + " released more often than acquired")
	}
	last := s.leave()
	s.mu.Unlock()
	if last {
		s.giveBack()
	}
}

// leave reports whether the word is nobody's any more, once. mu is held.
func (s *Stream) leave() bool {
	if s.gone || !s.closed || s.holds > 0 || !s.atRest() {
		return false
	}
	s.gone = true
	return true
}

func (s *Stream) giveBack() {
	s.dev.mu.Lock()
	s.dev.words.giveBack(s.cell)
	s.dev.mu.Unlock()
	s.cell.release()
}

// usable returns why the stream takes no work, nil when it does. mu is held.
func (s *Stream) usable() error {
	if s.closed {
		return s.closedError()
	}
	return s.dev.failure()
}

func (s *Stream) closedError() error { return port.NewError(port.Closed, "stream "+s.String()) }

// Mark queues the next number behind the work queued so far. It allocates
// nothing once the queue has grown to its usual length.
func (s *Stream) Mark() (port.Ticket, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return port.Ticket{}, err
	}
	fault := s.script.nextMark()
	if fault != nil && fault.Kind == MarkRefused {
		return port.Ticket{}, s.refuseMark(fault)
	}
	s.cell.last++
	s.dev.counters.marks.Add(1)
	ticket := port.NewTicket(s.cell.word, s.cell.last)
	s.push(op{kind: opMark, value: s.cell.last, fault: fault})
	if fault != nil && fault.Kind == MarkUnsure {
		return port.Ticket{}, s.refuseMark(fault)
	}
	return ticket, nil
}

func (s *Stream) refuseMark(f *Fault) error {
	s.dev.counters.faults.Add(1)
	return port.NewError(port.MarkRefused, "the driver did not take the store").WithDriver(f.driver())
}

// Delay queues work that takes d of device time and no CPU. It refuses a negative
// d with ErrOutOfRange. It allocates nothing once the queue has grown to its
// usual length.
func (s *Stream) Delay(d time.Duration) error {
	if d < 0 {
		return port.NewError(port.OutOfRange, "delay", d.String(), "0 and up")
	}
	return s.enqueue(op{kind: opDelay, last: d})
}

// A gate holds a stream back until it is open. The stream's mutex guards it.
type gate struct{ open bool }

// Gate queues a gate. open never blocks; work behind the gate may run in it.
// Close of the stream or its device opens a gate that was left shut.
func (s *Stream) Gate() (open func(), err error) {
	g := new(gate)
	if err := s.enqueue(op{kind: opGate, gate: g}); err != nil {
		return nil, err
	}
	return func() { s.openGate(g) }, nil
}

func (s *Stream) openGate(g *gate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g.open = true
	s.advance()
}

// enqueue queues o if the stream takes work.
func (s *Stream) enqueue(o op) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return err
	}
	s.push(o)
	return nil
}

// enqueueTask queues t, or settles it if the stream takes no work.
func (s *Stream) enqueueTask(t task) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		t.settle(false)
		return err
	}
	if c, ok := t.(*copyOutTask); ok {
		c.mark = s.cell.last + 1
		s.copies = append(s.copies, c)
	}
	s.push(op{kind: opTask, task: t})
	return nil
}

// ready refuses work for a closed stream before its arguments are looked at.
func (s *Stream) ready() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.usable()
}

// Fill sets n bytes of dst from offset to value. An empty range is allowed.
func (s *Stream) Fill(dst port.Buffer, offset, n int64, value byte) error {
	if err := s.ready(); err != nil {
		return err
	}
	b, mem, err := s.dev.hold(dst, offset, n)
	if err != nil {
		return err
	}
	return s.enqueueTask(&fillTask{buf: b, dst: mem, value: value})
}

// CopyIn copies src, as it is now, to dst at offset. It allocates len(src) bytes.
func (s *Stream) CopyIn(dst port.Buffer, offset int64, src []byte) error {
	if err := s.ready(); err != nil {
		return err
	}
	b, mem, err := s.dev.hold(dst, offset, int64(len(src)))
	if err != nil {
		return err
	}
	return s.enqueueTask(&copyInTask{buf: b, dst: mem, src: append([]byte(nil), src...)})
}

// CopyOut copies len(dst) bytes of src from offset into a staging buffer, which
// it allocates; Retire of a mark behind the copy moves them to dst.
func (s *Stream) CopyOut(dst []byte, src port.Buffer, offset int64) error {
	if err := s.ready(); err != nil {
		return err
	}
	b, mem, err := s.dev.hold(src, offset, int64(len(dst)))
	if err != nil {
		return err
	}
	return s.enqueueTask(&copyOutTask{buf: b, src: mem, dst: dst, staged: make([]byte, len(dst))})
}

// Launch runs a Go kernel of this device. It refuses a kernel or a buffer of
// another device with ErrForeign, no kernel and a zero Arg with
// ErrInvalidProgram, and a buffer offset outside its buffer with ErrOutOfRange.
// How many arguments there are and of what kinds is the kernel's own affair.
func (s *Stream) Launch(l port.Launch) error {
	if err := s.ready(); err != nil {
		return err
	}
	t, err := s.dev.newLaunch(l)
	if err != nil {
		return err
	}
	return s.enqueueTask(t)
}

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

// Retire records what ended and moves staged copies out to where they belong.
// The mutex that it takes was held by whoever ran the work, so the caller sees
// all that the device wrote, to the race detector's satisfaction too: that
// ignores atomics in mapped memory.
func (s *Stream) Retire(upTo uint64, err error) {
	for _, c := range s.retire(upTo, err) {
		copy(c.dst, c.staged)
	}
}

// retire takes the copies out up to a number off the list, and returns those to
// deliver.
func (s *Stream) retire(upTo uint64, err error) []*copyOutTask {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !port.Reached(upTo, s.retired) || (err == nil && !port.Reached(s.done, upTo)) {
		s.dev.counters.badRetires.Add(1)
	}
	s.retired, s.retireErr = upTo, err
	n := 0
	for n < len(s.copies) && port.Reached(upTo, s.copies[n].mark) {
		n++
	}
	ended := s.copies[:n:n]
	s.copies = s.copies[n:]
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(ended, func(c *copyOutTask) bool { return !c.done })
}

// Retired returns what the last call of Retire said: what tests look at.
func (s *Stream) Retired() (upTo uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.retired, s.retireErr
}
