package epoll_test

import (
	"errors"
	"fmt"

	"gpureactor/hosts/epoll"
	"gpureactor/hosts/std"
	"gpureactor/port"
)

// The host for Linux, or elsewhere the one that runs everywhere.
func Example() {
	var host port.DescriptorHost
	host, err := epoll.New(epoll.Config{})
	if errors.Is(err, port.ErrNotSupported) {
		host, err = std.New(std.Config{}), nil
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()

	go host.Wake()
	fmt.Println(host.SleepUntil(port.Forever))
	// Output: call
}
