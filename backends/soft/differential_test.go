package soft

import (
	"bytes"
	"context"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gpureactor/port"
	"gpureactor/port/manual"
)

const (
	duelStreams = 3
	duelBytes   = 40
)

// A duel runs the same script on a stepped device and on the model.
type duel struct {
	clock   *manual.Clock
	dev     *Device
	model   *model
	streams []*Stream
	buffers []*buffer
	kernel  port.Kernel
	gates   []duelGate
	outs    []*modelOut // all, retired or not
}

type duelGate struct {
	open func()
	at   *port.Time
}

func TestSteppedDeviceAgreesWithTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := newDuel(t)
		defer d.dev.Close()
		t.Repeat(map[string]func(*rapid.T){
			"":        d.compare,
			"delay":   d.delay,
			"mark":    d.mark,
			"fill":    d.fill,
			"copyIn":  d.copyIn,
			"copyOut": d.copyOut,
			"launch":  d.launch,
			"gate":    d.gate,
			"open":    d.openGate,
			"free":    d.free,
			"retire":  d.retire,
			"advance": d.advance,
		})
	})
}

func newDuel(t *rapid.T) *duel {
	d := &duel{clock: new(manual.Clock), model: &model{lost: port.Forever}}
	var script []Fault
	for i := range duelStreams {
		faults := drawFaults(t, i)
		fresh := bytes.Repeat([]byte{undefinedByte}, duelBytes)
		d.model.streams = append(d.model.streams, &modelStream{faults: faults, fresh: fresh})
		for _, f := range faults {
			script = append(script, f)
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "lost") == 0 {
		after := drawTime(t, "lost after")
		script = append(script, Fault{Kind: DeviceLost, After: after})
		d.model.lost = port.Time(after)
	}
	d.open(t, script)
	return d
}

func (d *duel) open(t *rapid.T, script []Fault) {
	var err error
	if d.dev, err = Open(Config{Alarm: d.clock, Script: script}); err != nil {
		t.Fatal(err)
	}
	if d.model.isLost() {
		d.model.streams = nil
		return
	}
	for range duelStreams {
		s, _ := d.dev.NewStream()
		b, _ := d.dev.Alloc(duelBytes)
		d.streams, d.buffers = append(d.streams, s.(*Stream)), append(d.buffers, b.(*buffer))
	}
	m, _ := d.dev.Load(port.Program{Go: map[string]port.GoKernel{"add": addKernel}})
	d.kernel, _ = m.Kernel("add")
}

// addKernel adds its second argument to each byte of its first.
func addKernel(c port.KernelCall) error {
	for i := range c.Memory[0] {
		c.Memory[0][i] += byte(c.Args[1].Int())
	}
	return nil
}

// drawFaults gives some marks of stream a fault that the model knows.
func drawFaults(t *rapid.T, stream int) map[uint64]Fault {
	faults := make(map[uint64]Fault)
	kinds := []FaultKind{StoreLate, StoreLost, StoreLow, MarkRefused, MarkUnsure}
	for range rapid.IntRange(0, 3).Draw(t, "faults") {
		f := Fault{
			Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Stream: stream,
			Mark: rapid.Uint64Range(1, 12).Draw(t, "at mark"),
		}
		switch f.Kind {
		case StoreLate:
			f.By = max(1, drawTime(t, "by"))
		case StoreLow:
			f.Below = rapid.Uint64Range(0, 4).Draw(t, "below")
		}
		faults[f.Mark] = f
	}
	return faults
}

func drawTime(t *rapid.T, label string) time.Duration {
	return time.Duration(rapid.Int64Range(0, 300).Draw(t, label)) * us
}

// pick draws a stream; there is none on a device that was lost from the start.
func (d *duel) pick(t *rapid.T) (*Stream, *buffer, *modelStream) {
	if len(d.streams) == 0 {
		t.Skip("no streams")
	}
	i := rapid.IntRange(0, duelStreams-1).Draw(t, "stream")
	return d.streams[i], d.buffers[i], d.model.streams[i]
}

// drawRange draws a range that is mostly within a buffer.
func drawRange(t *rapid.T) (offset, n int64) {
	return rapid.Int64Range(-1, duelBytes+1).Draw(t, "offset"), rapid.Int64Range(-1, duelBytes/2).Draw(t, "n")
}

func agree(t *rapid.T, what string, got, want error) {
	if !sameRefusal(got, want) {
		t.Fatalf("%s: error %v, want %v", what, got, want)
	}
}

func (d *duel) delay(t *rapid.T) {
	s, _, m := d.pick(t)
	last := drawTime(t, "delay") - us
	var want error
	switch {
	case last < 0:
		want = port.ErrOutOfRange
	case d.model.isLost():
		want = port.ErrDeviceLost
	default:
		d.model.queue(m, modelOp{delay: last})
	}
	agree(t, "Delay", s.Delay(last), want)
}

func (d *duel) mark(t *rapid.T) {
	s, _, m := d.pick(t)
	number, want := d.model.mark(m)
	ticket, err := s.Mark()
	agree(t, "Mark", err, want)
	if err == nil && ticket.Target() != number {
		t.Fatalf("Mark: number %d, want %d", ticket.Target(), number)
	}
}

func (d *duel) fill(t *rapid.T) {
	s, b, m := d.pick(t)
	offset, n := drawRange(t)
	value := rapid.Byte().Draw(t, "value")
	want := d.model.refusal(m, offset, n)
	agree(t, "Fill", s.Fill(b, offset, n, value), want)
	if want == nil {
		d.model.queue(m, modelOp{change: func(mem []byte) {
			for i := range n {
				mem[offset+i] = value
			}
		}})
	}
}

func (d *duel) copyIn(t *rapid.T) {
	s, b, m := d.pick(t)
	offset, n := drawRange(t)
	src := bytes.Repeat([]byte{rapid.Byte().Draw(t, "value")}, int(max(n, 0)))
	want := d.model.refusal(m, offset, int64(len(src)))
	agree(t, "CopyIn", s.CopyIn(b, offset, src), want)
	held := bytes.Clone(src)
	clear(src)
	if want == nil {
		d.model.queue(m, modelOp{change: func(mem []byte) { copy(mem[offset:], held) }})
	}
}

func (d *duel) copyOut(t *rapid.T) {
	s, b, m := d.pick(t)
	offset, n := drawRange(t)
	dst := make([]byte, max(n, 0))
	want := d.model.refusal(m, offset, int64(len(dst)))
	agree(t, "CopyOut", s.CopyOut(dst, b, offset), want)
	if want == nil {
		o := &modelOut{at: len(m.ops), mark: m.last + 1, off: offset, dst: dst, want: make([]byte, len(dst))}
		m.outs, d.outs = append(m.outs, o), append(d.outs, o)
		d.model.queue(m, modelOp{})
	}
}

func (d *duel) launch(t *rapid.T) {
	s, b, m := d.pick(t)
	offset, by := rapid.Int64Range(-1, duelBytes+1).Draw(t, "offset"), rapid.Int32().Draw(t, "by")
	want := d.model.refusal(m, offset, 0)
	args := []port.Arg{port.BufferArg(b, offset), port.Int32Arg(by)}
	agree(t, "Launch", s.Launch(port.Launch{Kernel: d.kernel, Args: args}), want)
	if want == nil {
		d.model.queue(m, modelOp{change: func(mem []byte) {
			for i := range mem[offset:] {
				mem[int(offset)+i] += byte(by)
			}
		}})
	}
}

func (d *duel) gate(t *rapid.T) {
	s, _, m := d.pick(t)
	open, err := s.Gate()
	if d.model.isLost() {
		agree(t, "Gate", err, port.ErrDeviceLost)
		return
	}
	agree(t, "Gate", err, nil)
	at := port.Forever
	d.model.queue(m, modelOp{opened: &at})
	d.gates = append(d.gates, duelGate{open: open, at: &at})
}

func (d *duel) openGate(t *rapid.T) {
	if len(d.gates) == 0 {
		t.Skip("no gates")
	}
	g := rapid.SampledFrom(d.gates).Draw(t, "gate")
	*g.at = min(*g.at, d.clock.Now())
	g.open()
}

func (d *duel) free(t *rapid.T) {
	if rapid.IntRange(0, 4).Draw(t, "really") > 0 {
		t.Skip("a free ends much of what follows")
	}
	_, b, m := d.pick(t)
	want := d.model.refusal(m, 0, 0)
	agree(t, "Free", b.Free(), want)
	if want == nil {
		m.freed = true
	}
}

func (d *duel) retire(t *rapid.T) {
	s, _, m := d.pick(t)
	upTo, failed := d.model.finished(m), rapid.Bool().Draw(t, "failed")
	var err error
	if failed {
		err = errKernel
	}
	if before, _ := s.Retired(); port.Reached(upTo, before) {
		d.model.retire(m, upTo, failed)
		s.Retire(upTo, err)
	}
}

func (d *duel) advance(t *rapid.T) {
	d.clock.Advance(drawTime(t, "advance"))
	d.model.now = d.clock.Now()
}

// compare looks at everything that can be seen.
func (d *duel) compare(t *rapid.T) {
	for i, s := range d.streams {
		m := d.model.streams[i]
		at := "at " + strconv.FormatInt(int64(d.clock.Now()), 10) + " " + s.String()
		if got, want := s.Word().Load(), d.model.word(m); got != want {
			t.Fatalf("%s: word %d, want %d", at, got, want)
		}
		status, err := s.Status()
		wantStatus, wantErr := d.model.status(m)
		if agree(t, at+": Status", err, wantErr); status != wantStatus {
			t.Fatalf("%s: status %v, want %v", at, status, wantStatus)
		}
		d.compareBlock(t, at, s, m)
		if mem := d.buffers[i].mem; mem != nil && !bytes.Equal(mem, m.memory(d.model.done(m))) {
			t.Fatalf("%s: memory %v, want %v", at, mem, m.memory(d.model.done(m)))
		}
	}
	for _, o := range d.outs {
		if !bytes.Equal(o.dst, o.want) {
			t.Fatalf("copy out holds %v, want %v", o.dst, o.want)
		}
	}
	if got := d.dev.Stats().BadRetires; got != 0 {
		t.Fatalf("%d bad retires", got)
	}
}

// compareBlock asks for the last finished number, and for the one behind it, with
// a context that has ended.
func (d *duel) compareBlock(t *rapid.T, at string, s *Stream, m *modelStream) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errKernel)
	done := d.model.finished(m)
	agree(t, at+": Block on what is done", s.Block(ctx, port.NewTicket(s.Word(), done)), nil)
	want := errKernel
	if d.model.isLost() {
		want = port.ErrDeviceLost
	}
	agree(t, at+": Block on what is not", s.Block(ctx, port.NewTicket(s.Word(), done+1)), want)
}
