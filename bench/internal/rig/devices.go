package rig

import (
	"errors"
	"strconv"

	"gpureactor/bench/internal/measure"
	"gpureactor/bench/internal/remote"
	"gpureactor/internal/platform"
	"gpureactor/port"
)

// Devices returns all devices.
func Devices() []DeviceChoice {
	return []DeviceChoice{
		{"soft", "the software device, in a process of its own", func() string { return "" }, openSoft},
	}
}

// FindDevice returns the device of that name.
func FindDevice(name string) (DeviceChoice, error) {
	return find("device", Devices(), func(d DeviceChoice) string { return d.Name }, name)
}

// openSoft opens the device in a child process, or in this one where processes
// share no memory.
func openSoft(cfg Config) (Device, error) {
	if cfg.Streams < 1 || cfg.Streams > remote.MaxStreams {
		return nil, port.NewError(port.OutOfRange, "number of streams", strconv.Itoa(cfg.Streams),
			"1 to "+strconv.Itoa(remote.MaxStreams))
	}
	if len(cfg.Command) == 0 {
		return openNear(cfg.Streams)
	}
	clock := platform.NewClock()
	d, err := remote.Open(remote.Config{Streams: cfg.Streams, Command: cfg.Command, Clock: clock})
	switch {
	case errors.Is(err, port.ErrNotSupported):
		return openNear(cfg.Streams)
	case err != nil:
		return nil, err
	}
	if err := cfg.Cores.PinDevice(d.Process().Pid); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return &far{d, clock}, nil
}

// far is the device in a child process.
type far struct {
	*remote.Device
	clock port.Clock
}

func (f *far) Clock() port.Clock { return f.clock }
func (f *far) Note() string      { return "" }

func (f *far) Streams() []measure.Stream {
	var all []measure.Stream
	for _, s := range f.Device.Streams() {
		all = append(all, s)
	}
	return all
}
