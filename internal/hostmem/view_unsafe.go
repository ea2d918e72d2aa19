package hostmem

import (
	"strconv"
	"unsafe"

	"gpureactor/port"
)

// A line has the size of a line, and a multiple of its own alignment.
var (
	_ [0]byte = [unsafe.Sizeof(port.Line{}) - port.LineBytes]byte{}
	_ [0]byte = [port.LineBytes % unsafe.Alignof(port.Line{})]byte{}
)

// linesOf returns the first n lines of mem, which must start at a multiple of
// port.LineBytes and be long enough.
//
// unsafe is needed because memory that a device writes does not come from Go's
// allocator, so it has no Go type yet. It is sound because the size is checked
// at compile time and the length and the alignment here, a Line holds no
// pointers and every bit pattern is a valid one, and the view is made from the
// mapped slice itself. No safe conversion from bytes to atomics exists.
func linesOf(mem []byte, n int) ([]port.Line, error) {
	base := unsafe.Pointer(unsafe.SliceData(mem))
	if len(mem) < n*port.LineBytes {
		return nil, port.NewError(port.OutOfRange, "memory for "+strconv.Itoa(n)+" lines",
			strconv.Itoa(len(mem))+" bytes", strconv.Itoa(n*port.LineBytes)+" bytes or more")
	}
	if !aligned(uintptr(base)) {
		return nil, port.NewError(port.OutOfRange, "address of a line",
			"0x"+strconv.FormatUint(uint64(uintptr(base)), 16),
			"a multiple of "+strconv.Itoa(port.LineBytes))
	}
	return unsafe.Slice((*port.Line)(base), n), nil
}

func aligned(addr uintptr) bool { return addr%port.LineBytes == 0 }

// bytesAt returns the n bytes at addr, which the caller knows to be mapped
// memory that Go did not allocate.
//
// unsafe is needed because some systems and drivers return a mapping as a
// number. The address is read through a pointer to it, which is not pointer
// arithmetic: it is sound because the collector neither moves nor frees such
// memory. No safe conversion exists.
func bytesAt(addr uintptr, n int) []byte {
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), n)
}
