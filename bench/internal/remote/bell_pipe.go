//go:build unix && !linux

package remote

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// newBell returns a pipe. Its ends block, so the Go runtime's poller leaves them
// alone.
func newBell() (bell, error) {
	var fds [2]int
	syscall.ForkLock.RLock() // no process inherits them before they are marked
	err := unix.Pipe(fds[:])
	if err == nil {
		unix.CloseOnExec(fds[0])
		unix.CloseOnExec(fds[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return bell{}, os.NewSyscallError("pipe", err)
	}
	return bell{wait: os.NewFile(uintptr(fds[0]), "bell"), ring: os.NewFile(uintptr(fds[1]), "bell")}, nil
}
