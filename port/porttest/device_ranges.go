package porttest

import (
	"math"
	"strconv"

	"gpureactor/port"
)

func deviceRangeCases() []DeviceCase {
	return []DeviceCase{
		{"bad-sizes-are-refused",
			"Alloc refuses a size below 1 with ErrOutOfRange.", badSizes},
		{"bad-ranges-are-refused",
			"A range that is not within its buffer is refused with ErrOutOfRange and queues nothing.", badRanges},
	}
}

func badSizes(e *deviceEnv) {
	d := e.device()
	for _, size := range []int64{0, -1, math.MinInt64, math.MaxInt64} {
		if _, err := d.Alloc(size); err == nil {
			e.t.Errorf("Alloc(%d) succeeded", size)
		} else if size < 1 {
			e.refused("Alloc("+strconv.FormatInt(size, 10)+")", err, port.ErrOutOfRange)
		}
	}
}

func badRanges(e *deviceEnv) {
	const size = 64
	d, s := e.one()
	b, want := e.filled(d, s, size, 5)
	e.finish(s)
	before := e.mark(s)
	for _, r := range []struct{ offset, n int64 }{
		{-1, 1}, {math.MinInt64, 1}, {0, size + 1}, {size, 1}, {size + 1, 0}, {1, size},
		{math.MaxInt64, 1}, {math.MaxInt64, size}, {math.MaxInt64 - 1, 2},
	} {
		at := " of " + strconv.FormatInt(r.n, 10) + " bytes at " + strconv.FormatInt(r.offset, 10)
		e.refused("Fill"+at, s.Fill(b, r.offset, r.n, 9), port.ErrOutOfRange)
		e.refused("CopyIn"+at, s.CopyIn(b, r.offset, make([]byte, r.n)), port.ErrOutOfRange)
		e.refused("CopyOut"+at, s.CopyOut(make([]byte, r.n), b, r.offset), port.ErrOutOfRange)
	}
	for _, n := range []int64{-1, math.MinInt64, math.MaxInt64} {
		e.refused("Fill of "+strconv.FormatInt(n, 10)+" bytes", s.Fill(b, 1, n, 9), port.ErrOutOfRange)
	}
	if after := e.mark(s); after.Target() != before.Target()+1 {
		e.t.Errorf("refused calls used up numbers: %d, then %d", before.Target(), after.Target())
	}
	e.holds(s, b, want)
}
