package measure

import (
	"time"

	"golang.org/x/sys/windows"
)

// filetimeUnit is what a Filetime counts.
const filetimeUnit = 100 * time.Nanosecond

// cpuTime returns the CPU time of all threads of the process, in the kernel too.
func cpuTime() (time.Duration, error) {
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user); err != nil {
		return 0, err
	}
	return duration(kernel) + duration(user), nil
}

func duration(t windows.Filetime) time.Duration {
	return time.Duration(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) * filetimeUnit
}
