//go:build !unix

package remote

import (
	"os"

	"gpureactor/port"
)

var errNoPause = port.NewError(port.NotSupported, "pausing a process", "this system has no signal for it")

func pause(*os.Process) error  { return errNoPause }
func resume(*os.Process) error { return errNoPause }
