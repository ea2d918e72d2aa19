package soft

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"gpureactor/port"
)

// Load makes a program's Go kernels ready. A program without any is refused with
// ErrNotSupported, one with an empty name or a nil function with
// ErrInvalidProgram.
func (d *Device) Load(p port.Program) (port.Module, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	if len(p.Go) == 0 {
		return nil, port.NewError(port.NotSupported, programName(p.Name)+" without Go kernels",
			"the soft device runs Program.Go only")
	}
	for name, f := range p.Go {
		if name == "" || f == nil {
			return nil, port.NewError(port.InvalidProgram, programName(p.Name),
				"kernel "+strconv.Quote(name)+" needs a name and a function")
		}
	}
	return &module{dev: d, name: programName(p.Name), kernels: maps.Clone(p.Go)}, nil
}

func programName(name string) string {
	if name == "" {
		return "program"
	}
	return "program " + name
}

// A module holds a program's kernels. There is nothing to free: work that is
// queued has its function.
type module struct {
	dev     *Device
	name    string
	kernels map[string]port.GoKernel
	closed  atomic.Bool
}

// String names the module for logs and errors.
func (m *module) String() string { return m.name + " on " + m.dev.name }

// Kernel returns the kernel of that name.
func (m *module) Kernel(name string) (port.Kernel, error) {
	if err := m.usable(); err != nil {
		return nil, err
	}
	run, ok := m.kernels[name]
	if !ok {
		have := strings.Join(slices.Sorted(maps.Keys(m.kernels)), ", ")
		return nil, port.NewError(port.InvalidProgram, m.name,
			"no kernel "+strconv.Quote(name)+": it has "+have)
	}
	return &kernel{module: m, name: name, run: run}, nil
}

func (m *module) usable() error {
	if m.closed.Load() {
		return port.NewError(port.Closed, m.String())
	}
	return m.dev.usable()
}

// Close ends the module. Queued launches still run. A second Close does nothing.
func (m *module) Close() error {
	m.closed.Store(true)
	return nil
}

// A kernel is one function of a module.
type kernel struct {
	module *module
	name   string
	run    port.GoKernel
}

// Name returns the kernel's name in its program.
func (k *kernel) Name() string { return k.name }

// ownKernel returns k as a kernel of this device.
func (d *Device) ownKernel(k port.Kernel) (*kernel, error) {
	own, ok := k.(*kernel)
	switch {
	case k == nil || (ok && own == nil):
		return nil, port.NewError(port.InvalidProgram, "launch on "+d.name, "Kernel is nil: want one of a module")
	case !ok:
		return nil, port.NewError(port.Foreign, "kernel", fmt.Sprintf("another backend (%T)", k), d.name)
	case own.module.dev != d:
		return nil, port.NewError(port.Foreign, "kernel "+own.name, own.module.dev.name, d.name)
	}
	return own, own.module.usable()
}

// newLaunch checks a launch and holds its buffers.
func (d *Device) newLaunch(l port.Launch) (*launchTask, error) {
	k, err := d.ownKernel(l.Kernel)
	if err != nil {
		return nil, err
	}
	t := &launchTask{kernel: k}
	t.call.Grid, t.call.Block = atLeastOne(l.Grid), atLeastOne(l.Block)
	if err := t.hold(d, l.Args); err != nil {
		return nil, err
	}
	return t, nil
}

func atLeastOne(size [3]uint32) [3]uint32 {
	for i := range size {
		size[i] = max(size[i], 1)
	}
	return size
}
