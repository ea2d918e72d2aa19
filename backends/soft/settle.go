package soft

import (
	"context"
	"strconv"

	"gpureactor/port"
)

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
	stuck := d.settle(streams)
	if d.engine != nil {
		d.engine.close()
	}
	if stuck == "" {
		d.runners.Wait()
	}
	for _, s := range streams {
		s.finish()
	}
	return d.free(stuck)
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

// settle waits until all streams are at rest. It returns which one is not, for
// all that was done, "" for none.
func (d *Device) settle(streams []*Stream) (stuck string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if d.engine != nil {
		d.alarm.At(d.alarm.Now().Add(d.config.SettleBound), cancel)
	}
	if drained(ctx, streams) {
		return ""
	}
	d.lose(d.lost("its work did not end within "+d.config.SettleBound.String()+" of Close",
		StatusTimeout, StatusName(StatusTimeout)))
	return running(streams)
}

// drained reports whether all streams came to rest before ctx ended.
func drained(ctx context.Context, streams []*Stream) bool {
	for _, s := range streams {
		if s.drain(ctx) != nil {
			return false
		}
	}
	return true
}

// running returns the name of a stream that somebody still drives, "" for none.
func running(streams []*Stream) string {
	for _, s := range streams {
		if s.isDriven() {
			return s.String()
		}
	}
	return ""
}

// free lets go of the device's memory, or keeps it on purpose: while a stream is
// stuck, or when the script says so.
func (d *Device) free(stuck string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.state = deviceClosed
	switch {
	case stuck != "":
		return d.keep(stuck+" still runs a kernel or a copy", StatusTimeout, StatusName(StatusTimeout))
	case d.unsettle != nil:
		d.counters.faults.Add(1)
		status, name := d.unsettle.driver()
		return d.keep("fault script", status, name)
	}
	d.words.close(false)
	d.memory.close()
	return nil
}

// keep leaks the device's memory and returns the error that says so. mu is held.
func (d *Device) keep(why string, status int64, name string) error {
	kept := d.words.close(true) + d.memory.bytes()
	d.counters.keptBytes.Add(kept)
	return port.NewError(port.Unsettled, "device "+d.name, why, strconv.FormatInt(kept, 10)).
		WithDriver(status, name)
}
