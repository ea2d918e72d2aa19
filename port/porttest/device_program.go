package porttest

import (
	"encoding/binary"
	"errors"

	"gpureactor/port"
)

func deviceProgramCases() []DeviceCase {
	return []DeviceCase{
		{"kernel-adds-vectors",
			"A kernel runs in order with the stream's other work, on the arguments of its launch.", addsVectors},
		{"program-needs-a-form",
			"A program without the backend's form is refused with ErrNotSupported.", needsForm},
		{"unknown-kernel-is-refused",
			"A module refuses a kernel it does not have with ErrInvalidProgram.", unknownKernel},
		{"bad-launches-are-refused",
			"A launch without a kernel, or with a zero Arg, is refused with ErrInvalidProgram and queues nothing.", badLaunches},
		{"closed-module-runs-what-is-queued",
			"A module's close lets queued launches run, and a second one does nothing.", moduleClose},
	}
}

// vectorAdd is the suite's program: out[i] = a[i] + b[i] for i below n.
func vectorAdd() port.Program {
	return port.Program{
		Name: "porttest-vector-add",
		Go:   map[string]port.GoKernel{"vector_add": goVectorAdd},
		OpenCL: `__kernel void vector_add(__global const uint *a, __global const uint *b,
		__global uint *out, int n) {
	int i = (int)get_global_id(0);
	if (i < n) out[i] = a[i] + b[i];
}
`,
	}
}

func goVectorAdd(c port.KernelCall) error {
	if len(c.Args) != 4 {
		return errors.New("vector_add takes 4 arguments")
	}
	a, b, out := c.Memory[0], c.Memory[1], c.Memory[2]
	threads := int64(c.Grid[0]) * int64(c.Block[0])
	for i := range min(c.Args[3].Int(), threads) {
		sum := binary.LittleEndian.Uint32(a[4*i:]) + binary.LittleEndian.Uint32(b[4*i:])
		binary.LittleEndian.PutUint32(out[4*i:], sum)
	}
	return nil
}

// adder loads the suite's program, if the device takes one of its forms.
func (e *deviceEnv) adder(d port.Device) (port.Module, port.Kernel) {
	e.t.Helper()
	m, err := d.Load(vectorAdd())
	if errors.Is(err, port.ErrNotSupported) {
		Require(e.t, "program", err)
	}
	e.must("Load", err)
	k, err := m.Kernel("vector_add")
	e.must("Kernel", err)
	if k.Name() != "vector_add" {
		e.t.Errorf("the kernel is named %q", k.Name())
	}
	return m, k
}

// An addition is the buffers of one launch, and what it should come to.
type addition struct {
	a, b, out port.Buffer
	n         int
	want      []byte
}

// addition copies two vectors of n numbers in.
func (e *deviceEnv) addition(d port.Device, s port.Stream, n int) addition {
	e.t.Helper()
	size := int64(4 * n)
	add := addition{a: e.alloc(d, size), b: e.alloc(d, size), out: e.alloc(d, size), n: n}
	var a, b []byte
	for i := range uint32(n) {
		a = binary.LittleEndian.AppendUint32(a, i*3)
		b = binary.LittleEndian.AppendUint32(b, i<<16+1)
		add.want = binary.LittleEndian.AppendUint32(add.want, i*3+i<<16+1)
	}
	e.must("CopyIn", s.CopyIn(add.a, 0, a))
	e.must("CopyIn", s.CopyIn(add.b, 0, b))
	e.must("Fill", s.Fill(add.out, 0, size, 0))
	return add
}

func (a addition) launch(k port.Kernel) port.Launch {
	const threads = 64
	return port.Launch{
		Kernel: k,
		Grid:   [3]uint32{uint32(a.n+threads-1) / threads},
		Block:  [3]uint32{threads},
		Args: []port.Arg{port.BufferArg(a.a, 0), port.BufferArg(a.b, 0), port.BufferArg(a.out, 0),
			port.Int32Arg(int32(a.n))},
	}
}

func addsVectors(e *deviceEnv) {
	d, s := e.one()
	m, k := e.adder(d)
	for _, n := range []int{1, 64, 1000} {
		add := e.addition(d, s, n)
		l := add.launch(k)
		e.must("Launch", s.Launch(l))
		clear(l.Args)
		e.holds(s, add.out, add.want)
	}
	e.must("Close", m.Close())
}

func needsForm(e *deviceEnv) {
	_, err := e.device().Load(port.Program{Name: "porttest-empty"})
	e.refused("Load of a program without any form", err, port.ErrNotSupported)
}

func unknownKernel(e *deviceEnv) {
	m, _ := e.adder(e.device())
	for _, name := range []string{"", "vector_sub"} {
		_, err := m.Kernel(name)
		e.refused("Kernel("+name+")", err, port.ErrInvalidProgram)
	}
}

func badLaunches(e *deviceEnv) {
	d, s := e.one()
	_, k := e.adder(d)
	add := e.addition(d, s, 8)
	before := e.mark(s)
	e.refused("Launch without a kernel", s.Launch(port.Launch{}), port.ErrInvalidProgram)
	zero := add.launch(k)
	zero.Args[3] = port.Arg{}
	e.refused("Launch with a zero Arg", s.Launch(zero), port.ErrInvalidProgram)
	past := add.launch(k)
	past.Args[2] = port.BufferArg(add.out, add.out.Size()+1)
	e.refused("Launch past the end of a buffer", s.Launch(past), port.ErrOutOfRange)
	negative := add.launch(k)
	negative.Args[2] = port.BufferArg(add.out, -1)
	e.refused("Launch before the start of a buffer", s.Launch(negative), port.ErrOutOfRange)
	if after := e.mark(s); after.Target() != before.Target()+1 {
		e.t.Errorf("refused launches used up numbers: %d, then %d", before.Target(), after.Target())
	}
	e.holds(s, add.out, make([]byte, 4*add.n))
}

func moduleClose(e *deviceEnv) {
	d, s := e.one()
	m, k := e.adder(d)
	add := e.addition(d, s, 16)
	open := e.gate(s)
	e.must("Launch", s.Launch(add.launch(k)))
	t := e.mark(s)
	closing := e.start(m.Close)
	open()
	e.must("Close", e.result("Close of the module", closing))
	e.await(s, t)
	e.holds(s, add.out, add.want)
	e.must("second Close", m.Close())
	e.refused("Launch after the module's close", s.Launch(add.launch(k)), port.ErrClosed)
	_, err := m.Kernel("vector_add")
	e.refused("Kernel after the module's close", err, port.ErrClosed)
}
