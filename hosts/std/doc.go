// Package std is the host that runs everywhere: Go timers, a channel that wakes,
// and descriptors through the Go runtime's poller. It makes no claim to exact
// sleeps: on an idle Linux machine a short Go timer is late by about 1 ms, so use
// hosts/epoll there.
//
//	host := std.New(std.Config{})
//	defer host.Close()
//
// On a system without poll(2), which is Windows above all, WatchDescriptor
// returns an error that wraps [port.ErrNotSupported].
package std
