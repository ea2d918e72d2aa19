package hostmem

import (
	"os"
	"strconv"

	"gpureactor/port"
)

// checkLength refuses a file of fewer than size bytes.
func checkLength(f *os.File, size int64) error {
	info, err := f.Stat()
	if err != nil {
		return port.NewError(port.InvalidDescriptor, "of shared lines", "its length is unknown").
			WithCause(err)
	}
	if info.Size() < size {
		return port.NewError(port.OutOfRange, "length of the file "+f.Name(),
			strconv.FormatInt(info.Size(), 10), strconv.FormatInt(size, 10)+" bytes or more")
	}
	return nil
}
