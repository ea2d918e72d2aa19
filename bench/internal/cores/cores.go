// Package cores gives the device's process a core of its own.
//
// A GPU takes no core from the host. A device in a process does, and where the
// scheduler puts it on the core of a waiter that polls, each store is seen only
// after the device has slept again, tens of microseconds late: the figure is then
// that of the scheduler. So the device gets the last core and the waiting side all
// others, which is one on a machine with two.
package cores

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// A Split says who runs where. The zero Split leaves all cores to all.
type Split struct {
	// Device is the core of the device's process, Waiting those of this one. There
	// is none when they are not apart.
	Device  int
	Waiting []int
}

// Apart reports whether the device has a core of its own.
func (s Split) Apart() bool { return len(s.Waiting) > 0 }

// String says who runs where.
func (s Split) String() string {
	if !s.Apart() {
		return "device and waiting side share all cores"
	}
	names := strings.Fields(strings.Trim(fmt.Sprint(s.Waiting), "[]"))
	return fmt.Sprintf("device on core %d, waiting side on core %s", s.Device, strings.Join(names, ", "))
}

// Divide keeps this process off the last of its cores and returns the split, the
// zero Split where there is only one core or the system lets no one choose. undo
// gives the core back.
func Divide() (s Split, undo func()) {
	all, err := allowed()
	if err != nil || len(all) < 2 {
		return Split{}, func() {}
	}
	last := len(all) - 1
	s = Split{Device: all[last], Waiting: all[:last]}
	procs := runtime.GOMAXPROCS(0)
	undo = func() {
		// Where pinning worked once it works again.
		_ = pin(os.Getpid(), all)
		runtime.GOMAXPROCS(procs)
	}
	if err := pin(os.Getpid(), s.Waiting); err != nil {
		undo()
		return Split{}, func() {}
	}
	runtime.GOMAXPROCS(min(procs, len(s.Waiting)))
	return s, undo
}

// PinDevice moves a process to the device's core.
func (s Split) PinDevice(pid int) error {
	if !s.Apart() {
		return nil
	}
	return pin(pid, []int{s.Device})
}
