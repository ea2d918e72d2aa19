//go:build unix

package remote

import (
	"os/exec"
	"syscall"
)

// detach keeps the terminal's interrupts from the child: its parent ends it.
func detach(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
