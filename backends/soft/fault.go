package soft

import (
	"strconv"
	"time"
)

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
	case f.Kind != DeviceLost:
		return text
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
