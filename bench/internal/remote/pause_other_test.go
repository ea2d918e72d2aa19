//go:build !unix

package remote

import (
	"errors"
	"os"
)

var errNoPause = errors.New("processes cannot be paused here")

func pause(*os.Process) error  { return errNoPause }
func resume(*os.Process) error { return errNoPause }
