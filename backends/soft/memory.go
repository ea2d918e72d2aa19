package soft

import (
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
	closed  bool
}

// reserve counts b in, if there is room for it.
func (m *memory) reserve(b *buffer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return b.dev.closedError()
	}
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

// giveBack counts b out.
func (m *memory) giveBack(b *buffer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.buffers[b]; ok {
		m.used -= b.size
		delete(m.buffers, b)
	}
}

// close drops all buffers. Their device takes no calls any more.
func (m *memory) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used, m.buffers, m.closed = 0, nil, true
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
