package remote

import (
	"errors"

	"gpureactor/hosts/epoll"
	"gpureactor/hosts/std"
	"gpureactor/port"
)

// newHost returns what the child sleeps on: the host whose timer is exact where
// there is one. One stage does: the engine spins through the rest itself.
func newHost() (port.Host, error) {
	h, err := epoll.New(epoll.Config{OneStage: true})
	if errors.Is(err, port.ErrNotSupported) {
		return std.New(std.Config{}), nil
	}
	return h, err
}
