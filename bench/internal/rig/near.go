package rig

import (
	"errors"
	"time"

	"gpureactor/backends/soft"
	"gpureactor/bench/internal/measure"
	"gpureactor/port"
)

// nearTail is how long before a store is due the device of this process spins.
const nearTail = 50 * time.Microsecond

// near is the device in this process.
type near struct {
	device  *soft.Device
	streams []measure.Stream
}

func openNear(streams int) (Device, error) {
	words, stamps := lines(streams), lines(streams)
	device, err := soft.Open(soft.Config{Lines: words, Stamps: stamps, SpinTail: nearTail})
	if err != nil {
		return nil, err
	}
	n := &near{device: device}
	for range streams {
		if err := n.add(words, stamps); err != nil {
			return nil, errors.Join(err, device.Close())
		}
	}
	return n, nil
}

// lines returns lines with a word for each stream.
func lines(streams int) []*port.Line {
	all := make([]*port.Line, (streams+port.LineWords-1)/port.LineWords)
	for i := range all {
		all[i] = new(port.Line)
	}
	return all
}

// add opens a stream. Its stamp has the place among the stamps that its word has
// among the words.
func (n *near) add(words, stamps []*port.Line) error {
	opened, err := n.device.NewStream()
	if err != nil {
		return err
	}
	s := opened.(*soft.Stream)
	i := len(n.streams) / port.LineWords
	if s.Word().Line() != words[i] {
		return port.NewError(port.InvalidSource, s.String()+" is not on its word")
	}
	n.streams = append(n.streams, nearStream{s, stamps[i].Word(s.Word().Slot())})
	return nil
}

func (n *near) Streams() []measure.Stream { return n.streams }
func (n *near) Clock() port.Clock         { return n.device.Clock() }
func (n *near) Lost() <-chan struct{}     { return nil }
func (n *near) Err() error                { return nil }
func (n *near) Close() error              { return n.device.Close() }

func (n *near) Note() string {
	return "the device runs in this process, so CPU times include its own"
}

type nearStream struct {
	*soft.Stream
	stamp port.Word
}

// Stored returns when the device made its last store to the word.
func (s nearStream) Stored() port.Time { return port.Time(s.stamp.Load()) }
