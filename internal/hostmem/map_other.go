//go:build !unix && !windows

package hostmem

import "gpureactor/port"

// roundUp returns size in whole lines.
func roundUp(size int) int { return size }

// mapPrivate takes size zero bytes from Go's allocator, which does not move
// them: such systems have no mappings of their own, and no device to write.
func mapPrivate(size int) ([]byte, func(), error) {
	return alignedPart(make([]byte, size+port.LineBytes)), func() {}, nil
}
