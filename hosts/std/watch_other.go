//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris)

package std

import (
	"runtime"

	"gpureactor/internal/platform"
	"gpureactor/port"
)

// A watch is the timer alone: there are no descriptors to watch.
type watch struct{ *platform.GoTimer }

func newWatch() *watch { return &watch{platform.NewGoTimer()} }

func (*watch) add(uintptr, port.Interest, func(port.Interest)) error { return errNoPoll() }

func (*watch) remove(uintptr) error { return errNoPoll() }

func errNoPoll() error {
	return port.NewError(port.NotSupported, "watching descriptors on "+runtime.GOOS,
		"wait for them on a goroutine of your own and call Wake")
}
