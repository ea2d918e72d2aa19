package soft

import (
	"fmt"
	"strconv"
	"sync"

	"gpureactor/port"
)

// What memory reads before it is written and after it was freed: no zeros, so
// that code which counts on them fails here and not only on a GPU.
const (
	undefinedByte = 0xa5
	freedByte     = 0xdd
)

// memory is the device's account of its buffers.
type memory struct {
	limit int64

	mu      sync.Mutex // guards what follows; taken after a buffer's
	used    int64
	buffers map[*buffer]struct{}
}

func (m *memory) reserve(b *buffer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if free := m.limit - m.used; b.size > free {
		return port.NewError(port.OutOfRange, "size of a buffer", strconv.FormatInt(b.size, 10),
			"1 to "+strconv.FormatInt(free, 10)+", the bytes left").
			WithDriver(StatusOutOfMemory, StatusName(StatusOutOfMemory))
	}
	if m.buffers == nil {
		m.buffers = make(map[*buffer]struct{})
	}
	m.used += b.size
	m.buffers[b] = struct{}{}
	return nil
}

func (m *memory) giveBack(b *buffer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.buffers[b]; ok {
		m.used -= b.size
		delete(m.buffers, b)
	}
}

// free drops all buffers. Their device takes no calls any more.
func (m *memory) free() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used, m.buffers = 0, nil
}

func (m *memory) bytes() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used
}

func (m *memory) count() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return int64(len(m.buffers))
}

// Alloc returns size bytes of memory. It refuses a size below 1 and one above
// what is left of Config.MemoryBytes with ErrOutOfRange. It takes time in
// proportion to size: the contents are undefined, which here means overwritten.
func (d *Device) Alloc(size int64) (port.Buffer, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	if size < 1 {
		return nil, port.NewError(port.OutOfRange, "size of a buffer",
			strconv.FormatInt(size, 10), "1 and up")
	}
	b := &buffer{dev: d, size: size}
	if err := d.memory.reserve(b); err != nil {
		return nil, err
	}
	b.mem = make([]byte, size)
	fill(b.mem, undefinedByte)
	return b, nil
}

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

// fill sets all bytes of mem, by copies that double.
func fill(mem []byte, value byte) {
	if len(mem) == 0 {
		return
	}
	mem[0] = value
	for n := 1; n < len(mem); n *= 2 {
		copy(mem[n:], mem[:n])
	}
}
