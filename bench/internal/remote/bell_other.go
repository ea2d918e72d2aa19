//go:build !unix

package remote

import (
	"sync/atomic"

	"gpureactor/port"
)

// A doorbell would be the child's end of the doorbell's pipe.
type doorbell struct {
	host   port.Host
	fd     int
	closed atomic.Bool
}

// watch refuses: no child inherits a pipe here.
func (b *doorbell) watch() error {
	return port.NewError(port.NotSupported, "a device in a child process", "run it in this process")
}
