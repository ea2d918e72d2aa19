//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris

package platform

import "golang.org/x/sys/unix"

// CheckNonBlocking refuses a descriptor that is not open or blocks: a function
// that reads it after another reader has emptied it would stop the host.
func CheckNonBlocking(fd uintptr) error {
	flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
	switch {
	case err != nil:
		return DescriptorError(fd, "is not open").WithCause(err)
	case flags&unix.O_NONBLOCK == 0:
		return DescriptorError(fd, "is in blocking mode: set O_NONBLOCK first")
	}
	return nil
}
