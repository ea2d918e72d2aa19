package soft

import (
	"fmt"
	"strconv"
	"sync"

	"gpureactor/port"
)

// A buffer is memory of the device. It lives in Go's heap: a kernel that kept a
// slice of it after Free then reads freedByte instead of killing the process.
type buffer struct {
	dev  *Device
	size int64

	mu    sync.Mutex // guards what follows
	mem   []byte     // nil once given back
	uses  int        // queued and running work that holds it
	freed bool
}

// Size returns the size in bytes.
func (b *buffer) Size() int64 { return b.size }

// String names the buffer for logs and errors.
func (b *buffer) String() string {
	return "buffer of " + strconv.FormatInt(b.size, 10) + " bytes on " + b.dev.name
}

// Free gives the memory back, at once or when the work that holds it has ended.
func (b *buffer) Free() error {
	if err := b.dev.usable(); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.freed {
		return b.closedError()
	}
	b.freed = true
	b.reclaim()
	return nil
}

// reclaim gives the memory back if nobody needs it. mu is held.
func (b *buffer) reclaim() {
	if b.freed && b.uses == 0 {
		fill(b.mem, freedByte)
		b.mem = nil
		b.dev.memory.giveBack(b)
	}
}

func (b *buffer) closedError() error { return port.NewError(port.Closed, b.String()) }

// hold keeps the memory for one piece of work and returns it.
func (b *buffer) hold() ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.freed {
		return nil, b.closedError()
	}
	b.uses++
	return b.mem, nil
}

// letGo gives back one hold.
func (b *buffer) letGo() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.uses--
	b.reclaim()
}

// own returns b as a buffer of this device.
func (d *Device) own(b port.Buffer) (*buffer, error) {
	own, ok := b.(*buffer)
	switch {
	case b == nil || (ok && own == nil):
		return nil, port.NewError(port.Foreign, "nil buffer", "no device", d.name)
	case !ok:
		return nil, port.NewError(port.Foreign, "buffer", fmt.Sprintf("another backend (%T)", b), d.name)
	case own.dev != d:
		return nil, port.NewError(port.Foreign, "buffer", own.dev.name, d.name)
	}
	return own, nil
}

// hold checks the range of n bytes from offset and returns it, held.
func (d *Device) hold(b port.Buffer, offset, n int64) (*buffer, []byte, error) {
	own, err := d.own(b)
	if err != nil {
		return nil, nil, err
	}
	if err := checkRange(own, offset, n); err != nil {
		return nil, nil, err
	}
	mem, err := own.hold()
	if err != nil {
		return nil, nil, err
	}
	return own, mem[offset : offset+n : offset+n], nil
}

// checkRange never adds what could overflow. An empty range is sound anywhere
// from the start to the end of the buffer.
func checkRange(b *buffer, offset, n int64) error {
	switch {
	case offset < 0 || offset > b.size:
		return port.NewError(port.OutOfRange, "offset into "+b.String(),
			strconv.FormatInt(offset, 10), "0 to "+strconv.FormatInt(b.size, 10))
	case n < 0 || n > b.size-offset:
		return port.NewError(port.OutOfRange, "length at offset "+strconv.FormatInt(offset, 10)+" of "+b.String(),
			strconv.FormatInt(n, 10), "0 to "+strconv.FormatInt(b.size-offset, 10))
	}
	return nil
}
