package porttest

import (
	"bytes"

	"gpureactor/port"
)

func deviceMemoryCases() []DeviceCase {
	return []DeviceCase{
		{"copies-round-trip",
			"What was copied in is copied out, at any offset, and nothing around it changes.", roundTrip},
		{"fill-keeps-to-its-range",
			"A fill sets the bytes of its range and no other.", fillRange},
		{"empty-work-is-harmless",
			"A fill or a copy of no bytes within a buffer changes nothing.", emptyWork},
		{"copy-in-takes-a-snapshot",
			"The source of a copy in may be reused as soon as the call returns.", snapshot},
		{"free-waits-for-queued-work",
			"A buffer that is freed serves the work queued before.", freeWaits},
		{"freed-buffer-is-refused",
			"A second free, and each use after a free, is refused with ErrClosed and queues nothing.", freedRefused},
		{"streams-share-memory",
			"What one stream wrote, another reads once the first one's ticket is reached.", sharedMemory},
	}
}

// readBack copies n bytes out and waits for them.
func (e *deviceEnv) readBack(s port.Stream, b port.Buffer, offset int64, n int) []byte {
	e.t.Helper()
	got := make([]byte, n)
	e.must("CopyOut", s.CopyOut(got, b, offset))
	e.finish(s)
	return got
}

// filled returns a buffer of size bytes of value, and what it should hold.
func (e *deviceEnv) filled(d port.Device, s port.Stream, size int, value byte) (port.Buffer, []byte) {
	e.t.Helper()
	b := e.alloc(d, int64(size))
	if b.Size() != int64(size) {
		e.t.Errorf("a buffer of %d bytes says it has %d", size, b.Size())
	}
	e.must("Fill", s.Fill(b, 0, int64(size), value))
	return b, bytes.Repeat([]byte{value}, size)
}

// holds compares a whole buffer.
func (e *deviceEnv) holds(s port.Stream, b port.Buffer, want []byte) {
	e.t.Helper()
	got := e.readBack(s, b, 0, len(want))
	for i := range want {
		if got[i] != want[i] {
			e.t.Fatalf("byte %d of %d reads %d, want %d", i, len(want), got[i], want[i])
		}
	}
}

func roundTrip(e *deviceEnv) {
	const size = 16 << 10
	d, s := e.one()
	b, want := e.filled(d, s, size, 0xee)
	for round, at := range []struct{ offset, n int }{
		{0, 1}, {size - 1, 1}, {1, 3}, {63, 130}, {4095, 2}, {0, size}, {5, size - 9}, {size / 2, size / 2},
	} {
		src := pattern(at.n, round)
		copy(want[at.offset:], src)
		e.must("CopyIn", s.CopyIn(b, int64(at.offset), src))
		if got := e.readBack(s, b, int64(at.offset), at.n); !bytes.Equal(got, src) {
			e.t.Errorf("%d bytes at %d did not come back", at.n, at.offset)
		}
		e.holds(s, b, want)
	}
}

func fillRange(e *deviceEnv) {
	const size = 8 << 10
	d, s := e.one()
	b, want := e.filled(d, s, size, 0x11)
	for round, at := range []struct{ offset, n int }{
		{0, 1}, {size - 1, 1}, {7, 13}, {4000, 200}, {0, size}, {1, size - 2},
	} {
		for i := range at.n {
			want[at.offset+i] = byte(round)
		}
		e.must("Fill", s.Fill(b, int64(at.offset), int64(at.n), byte(round)))
		e.holds(s, b, want)
	}
}

func emptyWork(e *deviceEnv) {
	d, s := e.one()
	b, want := e.filled(d, s, 32, 3)
	for _, offset := range []int64{0, 16, 32} {
		e.must("Fill of nothing", s.Fill(b, offset, 0, 9))
		e.must("CopyIn of nothing", s.CopyIn(b, offset, nil))
		e.must("CopyOut of nothing", s.CopyOut(nil, b, offset))
	}
	e.holds(s, b, want)
}

func snapshot(e *deviceEnv) {
	const size = 8 << 10
	d, s := e.one()
	b := e.alloc(d, size)
	open := e.gate(s)
	want := pattern(size, 1)
	src := bytes.Clone(want)
	e.must("CopyIn", s.CopyIn(b, 0, src))
	for i := range src {
		src[i] = 0
	}
	open()
	e.holds(s, b, want)
}

func freeWaits(e *deviceEnv) {
	const size = 8 << 10
	d, s := e.one()
	b, _ := e.filled(d, s, size, 7)
	e.finish(s)
	open := e.gate(s)
	got := make([]byte, size)
	e.must("CopyOut", s.CopyOut(got, b, 0))
	e.must("Fill", s.Fill(b, 0, size, 8))
	t := e.mark(s)
	freeing := e.start(b.Free)
	other := e.stream(d)
	e.filled(d, other, size, 9)
	e.finish(other)
	open()
	e.must("Free", e.result("Free", freeing))
	e.await(s, t)
	if !allAre(got, 7) {
		e.t.Errorf("a copy queued before Free reads %d", got[0])
	}
}

func freedRefused(e *deviceEnv) {
	d, s := e.one()
	b := e.alloc(d, 16)
	e.must("Free", b.Free())
	e.refused("second Free", b.Free(), port.ErrClosed)
	e.refused("Fill", s.Fill(b, 0, 16, 1), port.ErrClosed)
	e.refused("CopyIn", s.CopyIn(b, 0, make([]byte, 16)), port.ErrClosed)
	e.refused("CopyOut", s.CopyOut(make([]byte, 16), b, 0), port.ErrClosed)
	e.finish(s)
}

func sharedMemory(e *deviceEnv) {
	const size = 8 << 10
	d, writer := e.one()
	reader := e.stream(d)
	b := e.alloc(d, size)
	for round := range 20 {
		want := pattern(size, round)
		e.must("CopyIn", writer.CopyIn(b, 0, want))
		e.finish(writer)
		if got := e.readBack(reader, b, 0, size); !bytes.Equal(got, want) {
			e.t.Fatalf("round %d: the reading stream does not see what the other wrote", round)
		}
	}
}
