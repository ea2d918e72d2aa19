package hostmem

import (
	"strconv"

	"gpureactor/port"
)

// Adopt returns a page over memory that a driver or the system mapped at addr:
// host memory that a device can write. The memory must hold the lines, stay
// mapped until free is called, and not come from Go's allocator. free runs once,
// in the last Release. The words keep their values. Adopt refuses a zero or
// unaligned address and a bad number of lines with ErrOutOfRange, and then does
// not call free.
func Adopt(addr uintptr, lines int, free func()) (*Page, error) {
	if err := checkLines(lines); err != nil {
		return nil, err
	}
	if addr == 0 || !aligned(addr) {
		return nil, port.NewError(port.OutOfRange, "address of a page",
			"0x"+strconv.FormatUint(uint64(addr), 16),
			"a multiple of "+strconv.Itoa(port.LineBytes)+" that is not 0")
	}
	return newPage(bytesAt(addr, lines*port.LineBytes), lines, free)
}
