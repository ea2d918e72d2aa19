package soft

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"gpureactor/port"
)

func TestKernelSeesItsLaunch(t *testing.T) {
	d, _ := openStepped(t, Config{})
	s, b := newTestStream(t, d), newTestBuffer(t, d, 16)
	var got port.KernelCall
	k := kernelOf(t, d, func(c port.KernelCall) error {
		got = c
		c.Memory[0][0] = 42
		return nil
	})
	args := []port.Arg{port.BufferArg(b, 6), port.Int64Arg(-7), port.BufferArg(b, 16)}
	must(t, s.Launch(port.Launch{Kernel: k, Grid: [3]uint32{2, 0, 3}, Args: args}))
	clear(args)
	if got.Grid != [3]uint32{2, 1, 3} || got.Block != [3]uint32{1, 1, 1} {
		t.Errorf("grid %v, block %v", got.Grid, got.Block)
	}
	if m := got.Memory; len(m) != 3 || len(m[0]) != 10 || cap(m[0]) != 10 || m[1] != nil || len(m[2]) != 0 {
		t.Errorf("memory has lengths %d %d %d", len(m[0]), len(m[1]), len(m[2]))
	}
	if got.Args[1].Int() != -7 {
		t.Errorf("argument 1 is %d: the launch kept the caller's slice", got.Args[1].Int())
	}
	if b.mem[6] != 42 || d.Stats().Kernels != 1 {
		t.Errorf("memory %v, stats %+v", b.mem, d.Stats())
	}
}

// A failure is a way in which a kernel can fail, and what the error then says: a
// panic leaves its stack.
type failure struct {
	run  port.GoKernel
	says []string
}

var failures = map[string]failure{
	"error": {func(port.KernelCall) error { return errKernel }, []string{"kernel exploded"}},
	"panic": {func(port.KernelCall) error { panic("boom") }, []string{"panic: boom\n", "program_test.go"}},
	"index": {
		func(c port.KernelCall) error { c.Memory[9][0] = 1; return nil },
		[]string{"index out of range", "program_test.go"},
	},
}

var errKernel = errors.New("kernel exploded")

func TestFailedKernelLosesTheDevice(t *testing.T) {
	for name, f := range failures {
		t.Run(name+"/stepped", func(t *testing.T) { checkKernelFailure(t, first(openStepped(t, Config{})), f) })
		t.Run(name+"/live", func(t *testing.T) { checkKernelFailure(t, openLive(t, Config{}), f) })
	}
}

func checkKernelFailure(t *testing.T, d *Device, f failure) {
	s, other := newTestStream(t, d), newTestStream(t, d)
	before := markTest(t, s)
	must(t, s.Launch(port.Launch{Kernel: kernelOf(t, d, f.run)}))
	after, err := s.Mark()
	if err == nil { // the kernel of a live device had not failed yet
		err = s.Block(context.Background(), after)
	}
	wants(t, "what follows the kernel", err, port.ErrDeviceLost)
	wantsStatus(t, "what follows the kernel", err, StatusLaunchFailed)
	for _, want := range append(f.says, "kernel k of program test", d.String()) {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %q", err, want)
		}
	}
	wants(t, "another stream", second(other.Status()), port.ErrDeviceLost)
	must(t, s.Block(context.Background(), before))
	if after.Valid() && after.Reached() {
		t.Error("a mark behind the fault landed")
	}
	if got := d.Stats().Kernels; got != 0 {
		t.Errorf("%d kernels finished", got)
	}
}

func TestKernelErrorIsTheCauseOfTheLoss(t *testing.T) {
	d, _ := openStepped(t, Config{})
	s := newTestStream(t, d)
	must(t, s.Launch(port.Launch{Kernel: kernelOf(t, d, failures["error"].run)}))
	wants(t, "Status", second(s.Status()), errKernel)
}

func first[A, B any](a A, _ B) A { return a }

func TestKernelThatEndsItsGoroutineLosesTheDevice(t *testing.T) {
	exit := func(port.KernelCall) error {
		runtime.Goexit()
		return nil
	}
	for mode, d := range map[string]*Device{"stepped": first(openStepped(t, Config{})), "live": openLive(t, Config{})} {
		t.Run(mode, func(t *testing.T) {
			s := newTestStream(t, d)
			k := kernelOf(t, d, exit)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_ = s.Launch(port.Launch{Kernel: k}) // ends this goroutine when stepped
			}()
			<-ended
			wants(t, "Block", s.Block(context.Background(), port.NewTicket(s.Word(), 1)), port.ErrDeviceLost)
			_, err := s.Status()
			if !errors.Is(err, errExit) {
				t.Errorf("status: %v", err)
			}
			if err := s.Close(); err != nil { // the kernel's goroutine may still be ending
				wants(t, "Close", err, port.ErrDeviceLost)
			}
		})
	}
}

func TestLoadRefusesProgramsItCannotRun(t *testing.T) {
	d, _ := openStepped(t, Config{})
	run := func(port.KernelCall) error { return nil }
	for _, c := range []struct {
		program port.Program
		want    error
	}{
		{port.Program{}, port.ErrNotSupported},
		{port.Program{Name: "cl", OpenCL: "kernel void k() {}", PTX: "x"}, port.ErrNotSupported},
		{port.Program{Go: map[string]port.GoKernel{"": run}}, port.ErrInvalidProgram},
		{port.Program{Go: map[string]port.GoKernel{"a": run, "b": nil}}, port.ErrInvalidProgram},
	} {
		_, err := d.Load(c.program)
		wants(t, c.program.Name, err, c.want)
	}
}

func TestUnknownKernelNamesThoseThereAre(t *testing.T) {
	d, _ := openStepped(t, Config{})
	run := func(port.KernelCall) error { return nil }
	program := map[string]port.GoKernel{"sub": run, "add": run}
	m, err := d.Load(port.Program{Name: "math", Go: program})
	must(t, err)
	delete(program, "add")
	_, err = m.Kernel("mul")
	wants(t, "Kernel", err, port.ErrInvalidProgram)
	if !strings.Contains(err.Error(), `no kernel "mul": it has add, sub`) {
		t.Errorf("error %q", err)
	}
	if _, err := m.Kernel("add"); err != nil {
		t.Errorf("a module shares its program's map: %v", err)
	}
}
