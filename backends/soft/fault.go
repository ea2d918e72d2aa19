package soft

import (
	"strconv"
	"time"

	"gpureactor/port"
)

// A FaultKind says what goes wrong.
type FaultKind uint8

// The kinds of fault: what the device does, and what a correct waiter makes of
// it. "Complete and count" means that the wait succeeds on an idle status, since
// the work is done although its store is missing.
const (
	// StoreLate: the store of Mark lands By after its work was done, and later
	// stores of the stream wait behind it, so the word still only rises. The
	// stream looks idle meanwhile. Waiter: wait on, or complete and count; the
	// store that comes afterwards must confuse nothing.
	StoreLate FaultKind = iota + 1
	// StoreLost: the store of Mark never lands. Waiter: complete and count, or
	// see a later store.
	StoreLost
	// StoreTwice: the store of Mark lands, and again By later (0: at once), even
	// if the word has risen since and now falls. Waiter: end each wait once;
	// words only rise, so a lower value is no news.
	StoreTwice
	// StoreSwapped: the store of Mark changes places with the next one: it lands
	// right after that, so the word falls by one, or never when no mark follows.
	// Waiter: complete both when the next store is seen, or on an idle status.
	StoreSwapped
	// StoreLow: the store of Mark writes a number that is too low by Below (0:
	// 2), so the word falls or stays. Waiter: ignore the value, complete and
	// count.
	StoreLow
	// StatusFails: Source.Status of Stream ([AllStreams]: of each) fails with
	// Status from After on, once or, if Sticky, each time. The work goes on and
	// its stores land. Waiter: fail what is pending with that error.
	StatusFails
	// DeviceLost: the device is lost After. Nothing lands any more, and every
	// call but Close fails with Status. Waiter: fail what is pending with that
	// error, within a backstop.
	DeviceLost
	// SettleFails: Close cannot settle. It keeps the device's memory on purpose
	// and returns code Unsettled. Waiter: end each wait; its word stays valid.
	SettleFails
	// MarkRefused: Mark call number Mark of the stream fails with Status. Nothing
	// is queued and no number used up. Waiter: there is no ticket.
	MarkRefused
	// MarkUnsure: Mark call number Mark of the stream fails with Status, but the
	// driver queued its store all the same. The number is used up: were it given
	// out again, its ticket would be reached too early. Waiter: there is no
	// ticket; the word rises further than the tickets say.
	MarkUnsure
	faultKindEnd
)

var faultNames = [faultKindEnd]string{
	StoreLate: "store late", StoreLost: "store lost", StoreTwice: "store twice",
	StoreSwapped: "store swapped", StoreLow: "store low", StatusFails: "status fails",
	DeviceLost: "device lost", SettleFails: "settle fails", MarkRefused: "mark refused",
	MarkUnsure: "mark unsure",
}

// String returns the kind in words, such as "store late".
func (k FaultKind) String() string {
	if k > 0 && k < faultKindEnd {
		return faultNames[k]
	}
	return "fault(" + strconv.Itoa(int(k)) + ")"
}

// onMark reports whether the kind names a mark of a stream.
func (k FaultKind) onMark() bool {
	return k <= StoreLow || k == MarkRefused || k == MarkUnsure
}

// withStatus reports whether the kind fails with a driver status.
func (k FaultKind) withStatus() bool {
	switch k {
	case StatusFails, DeviceLost, SettleFails, MarkRefused, MarkUnsure:
		return true
	}
	return false
}

// status returns what the kind fails with unless the fault says otherwise.
func (k FaultKind) status() int64 {
	switch k {
	case DeviceLost:
		return StatusDeviceLost
	case SettleFails:
		return StatusSettleFailed
	case MarkRefused, MarkUnsure:
		return StatusQueueFull
	}
	return StatusUnknown
}

// AllStreams as Fault.Stream means each stream of the device.
const AllStreams = -1

// A Fault is one failure to inject. Fields that its kind does not name must be
// zero.
type Fault struct {
	Kind FaultKind
	// Stream is the number of the stream, 0 for the first one opened: of the
	// Store and Mark kinds, and of StatusFails, which takes AllStreams too.
	Stream int
	// Mark counts the stream's Mark calls from 1, refused ones too: of the Store
	// and Mark kinds.
	Mark uint64
	// By is how late, 1 ns and up: of StoreLate; of StoreTwice, with 0.
	By time.Duration
	// Below is by how much the number is too low: of StoreLow. Default: 2.
	Below uint64
	// After is a time from Open, or from Inject, 0 and up: of StatusFails and
	// DeviceLost.
	After time.Duration
	// Status is the driver's status and Name its name: of StatusFails, DeviceLost,
	// SettleFails and the Mark kinds. Default: the driver's own for that failure.
	Status int64
	Name   string
	// Sticky makes StatusFails last.
	Sticky bool
}

// String names the fault for logs.
func (f Fault) String() string {
	text := f.Kind.String()
	switch {
	case f.Kind.onMark():
		return text + " at mark " + strconv.FormatUint(f.Mark, 10) +
			" of stream " + strconv.Itoa(f.Stream)
	case f.Kind == StatusFails && f.Stream == AllStreams:
		text += " on all streams"
	case f.Kind == StatusFails:
		text += " on stream " + strconv.Itoa(f.Stream)
	}
	return text + " after " + f.After.String()
}

// driver returns the status and the name that the fault fails with.
func (f *Fault) driver() (int64, string) {
	status, name := f.Status, f.Name
	if status == 0 {
		status = f.Kind.status()
	}
	if name == "" {
		name = StatusName(status)
	}
	return status, name
}

// below returns by how much a low store is too low.
func (f *Fault) below() uint64 {
	if f.Below == 0 {
		return 2
	}
	return f.Below
}

// A faultError is a field of a fault out of bounds.
type faultError struct{ field, value, allowed string }

// in returns the error with the path of the fault before the field.
func (e *faultError) in(path string) error {
	return port.NewError(port.InvalidConfig, path+e.field, e.value, e.allowed)
}

// check returns the first field that is out of bounds or that the kind does not
// have, nil for a sound fault.
func (f *Fault) check() *faultError {
	if f.Kind < 1 || f.Kind >= faultKindEnd {
		return &faultError{"Kind", f.Kind.String(), "one of the kinds of fault"}
	}
	for _, c := range f.rules() {
		if c.broken {
			return &c.faultError
		}
	}
	return nil
}

type faultRule struct {
	broken bool
	faultError
}

func (f *Fault) rules() []faultRule {
	k := f.Kind
	none := "nothing for " + k.String()
	mark, below := strconv.FormatUint(f.Mark, 10), strconv.FormatUint(f.Below, 10)
	stream, status := strconv.Itoa(f.Stream), strconv.FormatInt(f.Status, 10)
	timed := k == StatusFails || k == DeviceLost
	return []faultRule{
		{k.onMark() && f.Stream < 0, faultError{"Stream", stream, "0 and up"}},
		{k == StatusFails && f.Stream < AllStreams, faultError{"Stream", stream, "-1 (all streams) and up"}},
		{!k.onMark() && k != StatusFails && f.Stream != 0, faultError{"Stream", stream, none}},
		{k.onMark() && f.Mark == 0, faultError{"Mark", mark, "1 and up"}},
		{!k.onMark() && f.Mark != 0, faultError{"Mark", mark, none}},
		{k == StoreLate && f.By < 1, faultError{"By", f.By.String(), "1ns and up"}},
		{k == StoreTwice && f.By < 0, faultError{"By", f.By.String(), "0 and up"}},
		{k != StoreLate && k != StoreTwice && f.By != 0, faultError{"By", f.By.String(), none}},
		{k != StoreLow && f.Below != 0, faultError{"Below", below, none}},
		{timed && f.After < 0, faultError{"After", f.After.String(), "0 and up"}},
		{!timed && f.After != 0, faultError{"After", f.After.String(), none}},
		{!k.withStatus() && f.Status != 0, faultError{"Status", status, none}},
		{!k.withStatus() && f.Name != "", faultError{"Name", f.Name, none}},
		{k != StatusFails && f.Sticky, faultError{"Sticky", "true", none}},
	}
}

// collides returns the index of a fault on the same mark as f, -1 for none.
func collides(faults []Fault, f *Fault) int {
	for i := range faults {
		o := &faults[i]
		if f.Kind.onMark() && o.Kind.onMark() && o.Stream == f.Stream && o.Mark == f.Mark {
			return i
		}
	}
	return -1
}
