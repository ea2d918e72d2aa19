//go:build !unix

package remote

import "os/exec"

// detach does nothing: no child is started here.
func detach(*exec.Cmd) {}
