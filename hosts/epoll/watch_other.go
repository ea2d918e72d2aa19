//go:build !linux

package epoll

import "gpureactor/port"

func open(Config) (*Host, error) {
	return nil, port.NewError(port.NotSupported, "epoll", "it is a part of Linux; use hosts/std")
}

// A watch is never made here: there is no host to hold it.
type watch struct{}

func (*watch) add(uintptr, port.Interest, func(port.Interest)) error { return errClosed }

func (*watch) remove(uintptr) error { return errClosed }
