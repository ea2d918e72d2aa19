// Package port holds the contracts between the reactor, the devices it waits
// for and the hosts it idles on. It has no behaviour of its own and imports the
// standard library only.
//
// # What a device offers
//
// A device stream stores a rising 64-bit number into a [Word] behind its work.
// One stream owns one word. [Source.Mark] queues the next number behind the
// work queued so far and returns the [Ticket] that is reached once the word has
// risen that far: an acquire load that sees it also sees every write of the
// work before the mark.
//
// The word is the authority for completion. The driver's [Source.Status] is the
// authority for failure. A stream that is idle although its word fell short has
// lost a store: its work is complete all the same.
//
// # What a host offers
//
// A [Host] is what a reactor idles on: a clock, a sleep that a [Host.Wake] ends,
// and a park that watches words. [DescriptorHost] adds file descriptors.
//
// # Errors
//
// Every error of the module carries a [Code] from one append-only registry. The
// code is the identity; the text may change. [errors.Is] matches codes:
//
//	if errors.Is(err, port.ErrDeviceLost) { ... }
//
// The conformance suites for devices and hosts are in port/porttest, a virtual
// clock and a scripted host in port/manual.
package port
