package soft

import (
	"fmt"
	"slices"

	"gpureactor/port"
)

// failure returns the sticky error of a lost device, else nil.
func (d *Device) failure() error {
	if err := d.fault.Load(); err != nil {
		return err
	}
	return nil
}

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

// kernelError returns the sticky error of a device whose kernel failed.
func (d *Device) kernelError(t task, cause error) *port.Error {
	return d.lost(fmt.Sprint(t)+" failed", StatusLaunchFailed, StatusName(StatusLaunchFailed)).WithCause(cause)
}

// abandon drops what is queued and ends all waits: the device is lost. mu is not
// held.
func (s *Stream) abandon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail()
}

// fail ends the stream with the device's fault, unless it had come to its end.
func (s *Stream) fail() {
	if s.ended == nil && !(s.closed && s.atRest()) {
		s.ended = s.dev.failure()
	}
	s.dropAll()
	s.waiters.wake()
}

// dropAll drops everything but a task that runs, and stores not landed.
func (s *Stream) dropAll() {
	s.drop(s.waiting())
	s.dev.counters.lost.Add(s.stores.drop())
}

// waiting returns the number of ops that are queued and not running.
func (s *Stream) waiting() int {
	if s.running {
		return s.queue.len() - 1
	}
	return s.queue.len()
}

// drop drops the last n ops.
func (s *Stream) drop(n int) {
	for ; n > 0; n-- {
		if o := s.queue.at(s.queue.len() - 1); o.kind == opTask {
			o.task.settle(false)
		}
		s.queue.cut()
		s.dev.counters.dropped.Add(1)
	}
}
