package porttest

import "gpureactor/port"

func deviceForeignCases() []DeviceCase {
	return []DeviceCase{
		{"foreign-buffers-are-refused",
			"A buffer of another device, of another backend, or nil is refused with ErrForeign.", foreignBuffers},
		{"foreign-kernels-are-refused",
			"A kernel of another device, or of another backend, is refused with ErrForeign.", foreignKernels},
	}
}

// A strangeBuffer is of no backend.
type strangeBuffer struct{}

func (strangeBuffer) Size() int64 { return 64 }
func (strangeBuffer) Free() error { return nil }

func foreignBuffers(e *deviceEnv) {
	d, s := e.one()
	theirs := e.alloc(e.device(), 64)
	for name, b := range map[string]port.Buffer{"another device's": theirs, "a strange": strangeBuffer{}, "a nil": nil} {
		e.refused("Fill of "+name+" buffer", s.Fill(b, 0, 1, 1), port.ErrForeign)
		e.refused("CopyIn to "+name+" buffer", s.CopyIn(b, 0, []byte{1}), port.ErrForeign)
		e.refused("CopyOut of "+name+" buffer", s.CopyOut(make([]byte, 1), b, 0), port.ErrForeign)
	}
	e.holds(s, e.alloc(d, 64), nil)
}

// A strangeKernel is of no backend.
type strangeKernel struct{}

func (strangeKernel) Name() string { return "strange" }

func foreignKernels(e *deviceEnv) {
	d, s := e.one()
	other := e.device()
	_, ours := e.adder(d)
	_, theirs := e.adder(other)
	add := e.addition(d, s, 4)
	e.refused("Launch of another device's kernel", s.Launch(add.launch(theirs)), port.ErrForeign)
	e.refused("Launch of a strange kernel", s.Launch(add.launch(strangeKernel{})), port.ErrForeign)
	l := add.launch(ours)
	l.Args[0] = port.BufferArg(e.alloc(other, 16), 0)
	e.refused("Launch on another device's buffer", s.Launch(l), port.ErrForeign)
	e.holds(s, add.out, make([]byte, 16))
}
