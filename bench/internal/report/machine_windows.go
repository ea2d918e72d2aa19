package report

import (
	"fmt"

	"golang.org/x/sys/windows"
)

// kernel returns the name and release of the system.
func kernel() string {
	v := windows.RtlGetVersion()
	return fmt.Sprintf("Windows %d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber)
}
