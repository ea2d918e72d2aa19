//go:build !linux

package cores

import "gpureactor/port"

func allowed() ([]int, error) {
	return nil, port.NewError(port.NotSupported, "choosing cores", "this system has no call for it")
}

func pin(int, []int) error { return nil }
