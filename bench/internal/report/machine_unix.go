//go:build unix

package report

import (
	"golang.org/x/sys/unix"
)

// kernel returns the name and release of the system.
func kernel() string {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return ""
	}
	return unix.ByteSliceToString(u.Sysname[:]) + " " + unix.ByteSliceToString(u.Release[:])
}
