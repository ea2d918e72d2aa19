package soft

import "strconv"

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
