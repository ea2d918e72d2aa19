package soft

import (
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
