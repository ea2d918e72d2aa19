//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris)

package platform

import "gpureactor/port"

// kernelNow says that there is no clock to align with.
func kernelNow() (port.Time, bool) { return 0, false }
