package platform

import (
	"math"
	"strconv"

	"gpureactor/port"
)

// CheckWatch refuses what no host can watch: a number that is no descriptor, an
// empty or unknown interest, no function.
func CheckWatch(fd uintptr, interest port.Interest, f func(port.Interest)) error {
	const known = port.Readable | port.Writable
	switch {
	case fd > math.MaxInt32:
		return DescriptorError(fd, "is no descriptor: want 0 to 2147483647")
	case interest == 0:
		return DescriptorError(fd, "empty interest: want readable, writable or both")
	case interest&^known != 0:
		return DescriptorError(fd, "unknown interest "+strconv.Itoa(int(interest))+": want readable, writable or both")
	case f == nil:
		return DescriptorError(fd, "no function to run when it is ready")
	}
	return nil
}

// DescriptorError returns the error that refuses fd.
func DescriptorError(fd uintptr, why string) *port.Error {
	return port.NewError(port.InvalidDescriptor, strconv.FormatUint(uint64(fd), 10), why)
}
