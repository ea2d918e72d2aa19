//go:build !unix && !windows

package hostmem

import (
	"unsafe"

	"gpureactor/port"
)

// alignedPart returns the part of mem that starts at its first multiple of
// port.LineBytes.
//
// unsafe is needed to read the address, and there is no safe way to. It is sound
// because the address is not turned back into a pointer, and the allocator that
// mem comes from does not move it.
func alignedPart(mem []byte) []byte {
	off := uintptr(unsafe.Pointer(unsafe.SliceData(mem))) % port.LineBytes
	if off == 0 {
		return mem
	}
	return mem[port.LineBytes-off:]
}
