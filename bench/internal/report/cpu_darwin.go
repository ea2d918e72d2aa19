package report

import "golang.org/x/sys/unix"

// cpuModel returns what the system calls the processor.
func cpuModel() string {
	name, err := unix.Sysctl("machdep.cpu.brand_string")
	if err != nil {
		return ""
	}
	return name
}
