//go:build !linux

package platform

import "gpureactor/port"

// NewSleeper returns a sleeper on the best that the system has: on Linux a
// Kernel, elsewhere, or when its descriptors cannot be had, a [GoTimer].
func NewSleeper(clock port.Clock) *Sleeper { return NewSleeperOn(clock, NewGoTimer()) }
