package platform

import (
	"encoding/binary"
	"errors"

	"golang.org/x/sys/unix"
)

// A Ringer is a descriptor that any goroutine can make ready to read: an eventfd,
// or a pipe where there is none.
type Ringer struct {
	read, write int
	events      uint32
	one         []byte // what a ring writes; never changed
	name        string
}

// NewEventFD returns an eventfd. It is watched edge-triggered: each write is an
// event of its own, nobody needs to read, and its counter lasts for 2^64 rings.
func NewEventFD() (*Ringer, error) {
	fd, err := unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC)
	if err != nil {
		return nil, callError("eventfd2", err)
	}
	one := binary.NativeEndian.AppendUint64(nil, 1)
	return &Ringer{read: fd, write: fd, events: unix.EPOLLIN | unix.EPOLLET, one: one, name: "eventfd"}, nil
}

// NewPipe returns a pipe. It is watched level-triggered and must be cleared: a
// full one would take no further ring.
func NewPipe() (*Ringer, error) {
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_NONBLOCK|unix.O_CLOEXEC); err != nil {
		return nil, callError("pipe2", err)
	}
	return &Ringer{read: ends[0], write: ends[1], events: unix.EPOLLIN, one: []byte{1}, name: "pipe"}, nil
}

// Ring makes the descriptor ready. It does not block: a full pipe or counter is
// ready already.
func (r *Ringer) Ring() {
	for {
		_, err := unix.Write(r.write, r.one)
		switch {
		case err == nil, errors.Is(err, unix.EAGAIN):
			return
		case errors.Is(err, unix.EINTR):
		default:
			panic("BUG: write to " + r.name + ": " + err.Error() + "; somebody closed a descriptor that is not theirs")
		}
	}
}

// Clear is called after an event, by one goroutine at a time. A ring that it
// takes away came before it, so the caller looks at the bell afterwards.
func (r *Ringer) Clear() {
	if r.read == r.write {
		return
	}
	var bin [64]byte
	for {
		n, err := unix.Read(r.read, bin[:])
		if n < len(bin) && !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// FD returns the descriptor to watch, Events what to watch it for.
func (r *Ringer) FD() int { return r.read }

// Events returns what to watch the descriptor for.
func (r *Ringer) Events() uint32 { return r.events }

// String returns "eventfd" or "pipe".
func (r *Ringer) String() string { return r.name }

// Close closes both ends.
func (r *Ringer) Close() error {
	err := unix.Close(r.read)
	if r.write != r.read {
		err = errors.Join(err, unix.Close(r.write))
	}
	return err
}
