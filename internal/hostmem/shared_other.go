//go:build !unix

package hostmem

import (
	"os"

	"gpureactor/port"
)

// NewShared returns ErrNotSupported: this system has no memory that processes
// share by a file.
func NewShared(lines int) (*Page, *os.File, error) {
	if err := checkLines(lines); err != nil {
		return nil, nil, err
	}
	return nil, nil, errNotShared()
}

// MapShared returns ErrNotSupported: this system has no memory that processes
// share by a file.
func MapShared(f *os.File, lines int) (*Page, error) {
	if err := checkLines(lines); err != nil {
		return nil, err
	}
	if err := checkLength(f, int64(lines)*port.LineBytes); err != nil {
		return nil, err
	}
	return nil, errNotShared()
}

func errNotShared() error {
	return port.NewError(port.NotSupported, "memory shared between processes",
		"run the device in the same process")
}
