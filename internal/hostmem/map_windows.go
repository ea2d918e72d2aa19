package hostmem

import (
	"golang.org/x/sys/windows"
)

// allocationUnit is what VirtualAlloc rounds to.
const allocationUnit = 64 << 10

// roundUp returns size in whole allocation units of the system.
func roundUp(size int) int {
	return (size + allocationUnit - 1) / allocationUnit * allocationUnit
}

// mapPrivate maps size zero bytes for this process alone.
func mapPrivate(size int) ([]byte, func(), error) {
	addr, err := windows.VirtualAlloc(0, uintptr(size),
		windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		return nil, nil, err
	}
	return bytesAt(addr, size), func() { unmap(addr) }, nil
}

func unmap(addr uintptr) {
	if err := windows.VirtualFree(addr, 0, windows.MEM_RELEASE); err != nil {
		panic("BUG: hostmem: VirtualFree of a page of ours: " + err.Error())
	}
}
