//go:build unix

package hostmem

import (
	"os"

	"golang.org/x/sys/unix"

	"gpureactor/port"
)

// roundUp returns size in whole pages of the system.
func roundUp(size int) int {
	page := os.Getpagesize()
	return (size + page - 1) / page * page
}

// mapPrivate maps size zero bytes for this process alone.
func mapPrivate(size int) ([]byte, func(), error) {
	return mmap(-1, size, unix.MAP_PRIVATE|unix.MAP_ANON)
}

func mmap(fd, size, flags int) ([]byte, func(), error) {
	mem, err := unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, flags)
	if err != nil {
		return nil, nil, err
	}
	return mem, func() { munmap(mem) }, nil
}

func munmap(mem []byte) {
	if err := unix.Munmap(mem); err != nil {
		panic("BUG: hostmem: munmap of a page of ours: " + err.Error())
	}
}

// NewShared returns a page in memory that other processes can map with
// [MapShared], and its file: pass that to a child as an extra file. The page
// does not need the file any more; the caller closes it. Errors are those of
// [New], and ErrNotSupported where processes cannot share memory by a file.
func NewShared(lines int) (*Page, *os.File, error) {
	if err := checkLines(lines); err != nil {
		return nil, nil, err
	}
	f, err := sharedFile(int64(roundUp(lines * port.LineBytes)))
	if err != nil {
		return nil, nil, mapError(lines, err)
	}
	page, err := MapShared(f, lines)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return page, f, nil
}

// MapShared maps lines of a file made by [NewShared], in this process or in
// another. The words keep their values. It does not need the file afterwards.
// A file that is too short is refused with ErrOutOfRange: touching memory behind
// its end would kill the process.
func MapShared(f *os.File, lines int) (*Page, error) {
	if err := checkLines(lines); err != nil {
		return nil, err
	}
	size := roundUp(lines * port.LineBytes)
	if err := checkLength(f, int64(size)); err != nil {
		return nil, err
	}
	mem, unmap, err := mapFile(f, size)
	if err != nil {
		return nil, mapError(lines, err)
	}
	return newPage(mem, lines, unmap)
}

// mapFile maps through the raw connection: it leaves the file's mode alone and
// holds off its Close.
func mapFile(f *os.File, size int) (mem []byte, unmap func(), err error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return nil, nil, err
	}
	ctlErr := conn.Control(func(fd uintptr) {
		mem, unmap, err = mmap(int(fd), size, unix.MAP_SHARED)
	})
	if ctlErr != nil {
		return nil, nil, ctlErr
	}
	return mem, unmap, err
}
