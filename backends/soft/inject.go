package soft

import (
	"strconv"

	"gpureactor/port"
)

// Inject adds a fault to an open device. Its After counts from now, its Mark from
// the opening of its stream, which may come later. It refuses a fault that is
// malformed, comes too late for its mark or falls on a mark that has one already
// with ErrInvalidConfig.
func (d *Device) Inject(f Fault) error {
	if err := d.usable(); err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err.in("Fault.")
	}
	if err := d.checkMark(&f); err != nil {
		return err
	}
	d.inject(f, d.alarm.Now())
	return nil
}

// checkMark refuses a fault for a mark that is past or has one.
func (d *Device) checkMark(f *Fault) error {
	if !f.Kind.onMark() {
		return nil
	}
	d.mu.Lock()
	script := make([]Fault, 0, len(d.script))
	for _, o := range d.script {
		script = append(script, o.Fault)
	}
	d.mu.Unlock()
	at := strconv.FormatUint(f.Mark, 10)
	if i := collides(script, f); i >= 0 {
		return badConfig("Fault.Mark", at, "a mark without a fault: it has "+script[i].String())
	}
	if made := d.marksOf(f.Stream); f.Mark <= made {
		return badConfig("Fault.Mark", at, strconv.FormatUint(made+1, 10)+" and up: earlier marks were made")
	}
	return nil
}

// marksOf returns how often stream number has marked.
func (d *Device) marksOf(number int) uint64 {
	for _, s := range d.openStreams() {
		if s.number == number {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.script.marks
		}
	}
	return 0
}

// inject adds a sound fault, and lets the streams and the device know.
func (d *Device) inject(fault Fault, from port.Time) {
	f := &scripted{Fault: fault, from: from}
	d.mu.Lock()
	d.script = append(d.script, f)
	if f.Kind == SettleFails && d.unsettle == nil {
		d.unsettle = &f.Fault
	}
	d.mu.Unlock()
	for _, s := range d.openStreams() {
		s.obey(f)
	}
	if f.Kind == DeviceLost {
		d.alarmOrNow(from.Add(f.After), func() { d.loseBy(&f.Fault) })
	}
}

// alarmOrNow runs f at the time at, here and now if that has passed.
func (d *Device) alarmOrNow(at port.Time, f func()) {
	if d.alarm.Now() >= at {
		f()
		return
	}
	d.alarm.At(at, f)
}

// loseBy loses the device by a fault.
func (d *Device) loseBy(f *Fault) {
	if d.fault.Load() != nil {
		return
	}
	d.counters.faults.Add(1)
	status, name := f.driver()
	d.lose(d.lost("fault script", status, name))
}
