//go:build unix && !linux

package hostmem

import "os"

// sharedFile returns a temporary file of size bytes that has no name any more,
// so that it goes when its last user does.
func sharedFile(size int64) (*os.File, error) {
	f, err := os.CreateTemp("", "lines")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	if err := f.Truncate(size); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
