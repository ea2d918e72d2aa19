// Package epoll is the host for Linux. It sleeps in epoll_wait on a timerfd, which
// the kernel does not stretch by its timer slack, is woken by an eventfd, and
// watches descriptors in the same call. Nothing else in it is specific to a
// device: it parks in user space, as the std host does.
//
//	host, err := epoll.New(epoll.Config{})
//	if errors.Is(err, port.ErrNotSupported) {
//		return std.New(std.Config{})
//	}
//
// A wake costs one atomic operation, and a write to the eventfd only if it ends a
// sleep in the kernel. On other systems New returns an error that wraps
// [port.ErrNotSupported].
package epoll
