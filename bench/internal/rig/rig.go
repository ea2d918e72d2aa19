// Package rig opens what a benchmark runs on: a device by its name, and hosts by
// theirs. The tables [Devices] and [Hosts] are all there is to choose from.
//
//	d, err := rig.FindDevice("soft")
//	if err != nil {
//		return err // names the devices there are
//	}
//	opened, err := d.Open(rig.Config{Streams: 8, Command: command})
package rig

import (
	"slices"
	"strconv"
	"strings"

	"gpureactor/bench/internal/cores"
	"gpureactor/bench/internal/measure"
	"gpureactor/port"
)

// Config says what to open a device for.
type Config struct {
	// Streams is the number of streams.
	Streams int
	// Command starts this program as the process of a device. Empty: the device
	// has to run in this process.
	Command []string
	// Cores says where the process of a device runs.
	Cores cores.Split
}

// A Device is opened.
type Device interface {
	// Streams returns as many streams as were asked for.
	Streams() []measure.Stream
	// Clock is what the streams' store times are read from.
	Clock() port.Clock
	// Lost is closed when the device is gone, with Err then saying why. nil: it
	// cannot be lost.
	Lost() <-chan struct{}
	// Err returns nil while the device lives.
	Err() error
	// Note says what of the measurement differs from that on a device of its own;
	// empty when nothing does.
	Note() string
	// Close ends it.
	Close() error
}

// A DeviceChoice is a row of the table of devices.
type DeviceChoice struct {
	Name, Text string
	// Missing says why it cannot be opened here; empty when it can.
	Missing func() string
	Open    func(Config) (Device, error)
}

// A HostChoice is a row of the table of hosts.
type HostChoice struct {
	Name, Text string
	Missing    func() string
	Open       func() (port.Host, error)
}

// find returns the row of that name; an unknown one is refused with
// ErrInvalidConfig and the names there are.
func find[T any](what string, rows []T, name func(T) string, wanted string) (T, error) {
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = name(r)
	}
	if i := slices.Index(names, wanted); i >= 0 {
		return rows[i], nil
	}
	var none T
	return none, port.NewError(port.InvalidConfig, what, strconv.Quote(wanted), "one of "+strings.Join(names, ", "))
}
