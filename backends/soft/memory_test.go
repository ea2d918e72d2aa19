package soft

import (
	"math"
	"strings"
	"testing"

	"gpureactor/port"
)

func TestMemoryIsBoundedAndGivenBack(t *testing.T) {
	d, _ := openStepped(t, Config{MemoryBytes: 100})
	b := newTestBuffer(t, d, 60)
	_, err := d.Alloc(41)
	wants(t, "Alloc(41) with 40 left", err, port.ErrOutOfRange)
	wantsStatus(t, "Alloc(41) with 40 left", err, StatusOutOfMemory)
	if !strings.Contains(err.Error(), "41") || !strings.Contains(err.Error(), "1 to 40") {
		t.Errorf("error %q does not name the size and the bytes left", err)
	}
	newTestBuffer(t, d, 40)
	must(t, b.Free())
	newTestBuffer(t, d, 60)
	if got := d.Stats(); got.Buffers != 2 || got.BufferBytes != 100 {
		t.Errorf("stats %+v", got)
	}
	for _, size := range []int64{0, -1, math.MinInt64, math.MaxInt64} {
		_, err := d.Alloc(size)
		wants(t, "bad size", err, port.ErrOutOfRange)
	}
}

func TestMemoryOfAClosedDeviceTakesNoBuffer(t *testing.T) {
	d := openTest(t, Config{})
	b := newTestBuffer(t, d, 8)
	closeTest(t, d)
	wants(t, "a reservation that lost the race with Close", d.memory.reserve(&buffer{dev: d, size: 1}), port.ErrClosed)
	wants(t, "Free", b.Free(), port.ErrClosed)
	if got := d.Stats(); got.Buffers != 0 || got.BufferBytes != 0 {
		t.Errorf("stats %+v after Close", got)
	}
}

func TestFreeIsDeferredUntilQueuedWorkHasFinished(t *testing.T) {
	d, clock := openStepped(t, Config{})
	s, b := newTestStream(t, d), newTestBuffer(t, d, 8)
	must(t, s.Fill(b, 0, 8, 1))
	must(t, s.Delay(10*us))
	dst := make([]byte, 8)
	must(t, s.CopyOut(dst, b, 0))
	ticket := markTest(t, s)
	must(t, b.Free())
	if got := d.Stats().BufferBytes; got != 8 {
		t.Errorf("%d bytes live with work queued, want 8", got)
	}
	wants(t, "second Free", b.Free(), port.ErrClosed)
	wants(t, "Fill after Free", s.Fill(b, 0, 1, 1), port.ErrClosed)
	clock.Advance(10 * us)
	s.Retire(ticket.Target(), nil)
	if dst[0] != 1 || dst[7] != 1 {
		t.Errorf("the copy queued before Free reads %v", dst)
	}
	if got := d.Stats(); got.Buffers != 0 || got.BufferBytes != 0 {
		t.Errorf("stats after the work: %+v", got)
	}
}

func TestMemoryReadsNoZerosBeforeAndAfterItsLife(t *testing.T) {
	d, _ := openStepped(t, Config{})
	s, b := newTestStream(t, d), newTestBuffer(t, d, 5)
	var kept []byte
	k := kernelOf(t, d, func(c port.KernelCall) error {
		kept = c.Memory[0]
		return nil
	})
	must(t, s.Launch(port.Launch{Kernel: k, Args: []port.Arg{port.BufferArg(b, 0)}}))
	for i, v := range kept {
		if v != undefinedByte {
			t.Errorf("fresh byte %d reads %#x", i, v)
		}
	}
	must(t, b.Free())
	for i, v := range kept {
		if v != freedByte {
			t.Errorf("freed byte %d reads %#x in a kernel that kept it", i, v)
		}
	}
}

func TestForeignHandlesNameBothDevices(t *testing.T) {
	a, _ := openStepped(t, Config{})
	b, _ := openStepped(t, Config{})
	s, theirs := newTestStream(t, a), newTestBuffer(t, b, 8)
	foreign := kernelOf(t, b, func(port.KernelCall) error { return nil })
	for what, err := range map[string]error{
		"Fill":    s.Fill(theirs, 0, 1, 1),
		"CopyIn":  s.CopyIn(theirs, 0, nil),
		"CopyOut": s.CopyOut(nil, theirs, 0),
		"kernel":  s.Launch(port.Launch{Kernel: foreign}),
		"argument": s.Launch(port.Launch{
			Kernel: kernelOf(t, a, func(port.KernelCall) error { return nil }),
			Args:   []port.Arg{port.Int32Arg(1), port.BufferArg(theirs, 0)},
		}),
	} {
		wants(t, what, err, port.ErrForeign)
		if !strings.Contains(err.Error(), a.String()) || !strings.Contains(err.Error(), b.String()) {
			t.Errorf("%s: error %q does not name %v and %v", what, err, a, b)
		}
	}
	wants(t, "typed nil buffer", s.Fill((*buffer)(nil), 0, 1, 1), port.ErrForeign)
	wants(t, "typed nil kernel", s.Launch(port.Launch{Kernel: (*kernel)(nil)}), port.ErrInvalidProgram)
}

func TestRefusedWorkHoldsNoBuffer(t *testing.T) {
	d, _ := openStepped(t, Config{})
	s, b := newTestStream(t, d), newTestBuffer(t, d, 8)
	k := kernelOf(t, d, func(port.KernelCall) error { return nil })
	wants(t, "range", s.Fill(b, 9, 1, 1), port.ErrOutOfRange)
	good := port.BufferArg(b, 0)
	zero, past := []port.Arg{good, {}}, []port.Arg{good, port.BufferArg(b, 9)}
	wants(t, "zero Arg", s.Launch(port.Launch{Kernel: k, Args: zero}), port.ErrInvalidProgram)
	wants(t, "offset", s.Launch(port.Launch{Kernel: k, Args: past}), port.ErrOutOfRange)
	if b.uses != 0 {
		t.Errorf("refused work holds the buffer %d times", b.uses)
	}
	must(t, b.Free())
	if got := d.Stats().Buffers; got != 0 {
		t.Errorf("%d buffers live after Free", got)
	}
}

func TestFillSetsEveryByte(t *testing.T) {
	for n := range 70 {
		mem := make([]byte, n)
		fill(mem, 9)
		for i, v := range mem {
			if v != 9 {
				t.Fatalf("byte %d of %d reads %d", i, n, v)
			}
		}
	}
}
