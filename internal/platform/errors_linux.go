package platform

import (
	"errors"

	"golang.org/x/sys/unix"

	"gpureactor/port"
)

// callError returns the error of a system call that opens something: not
// supported where the kernel lacks the call or a filter refuses it, else the
// failure, with its number and name.
func callError(call string, err error) error {
	var number unix.Errno
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM):
		return port.NewError(port.NotSupported, call, "allow the call, or use hosts/std").WithCause(err)
	case errors.As(err, &number):
		return port.DriverError(call, int64(number), unix.ErrnoName(number)).WithCause(err)
	}
	return port.NewError(port.Backend, call, err.Error())
}
