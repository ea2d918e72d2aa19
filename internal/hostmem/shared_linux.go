package hostmem

import (
	"os"

	"golang.org/x/sys/unix"
)

// sharedFile returns a memory file of size bytes, sealed against shrinking: a
// process that shortened it would kill the others.
func sharedFile(size int64) (*os.File, error) {
	fd, err := unix.MemfdCreate("lines", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, os.NewSyscallError("memfd_create", err)
	}
	f := os.NewFile(uintptr(fd), "memfd:lines")
	if err := f.Truncate(size); err != nil {
		f.Close()
		return nil, err
	}
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK); err != nil {
		f.Close()
		return nil, os.NewSyscallError("fcntl", err)
	}
	return f, nil
}
