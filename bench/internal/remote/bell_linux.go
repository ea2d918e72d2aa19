package remote

import (
	"os"

	"golang.org/x/sys/unix"
)

// newBell returns an eventfd. A pipe would do, but the kernel takes a write to a
// pipe as a hint that the writer is about to sleep, and wakes the reader on the
// writer's processor, which a spinning waiter does not give up.
//
// The file blocks, so the Go runtime's poller leaves it alone.
func newBell() (bell, error) {
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil {
		return bell{}, os.NewSyscallError("eventfd", err)
	}
	f := os.NewFile(uintptr(fd), "eventfd")
	return bell{f, f}, nil
}
