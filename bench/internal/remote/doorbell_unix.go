//go:build unix

package remote

import (
	"errors"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"gpureactor/port"
)

// A doorbell ends the sleep of the child's host when the parent rings, closes the
// lifeline, or is gone.
type doorbell struct {
	host port.Host
	// fd is the bell's descriptor, life that of the lifeline.
	fd, life int
	closed   atomic.Bool
}

// watch starts to listen: by the host itself where it can watch descriptors, else
// by goroutines that block in reads.
func (b *doorbell) watch() error {
	if h, ok := b.host.(port.DescriptorHost); ok {
		err := b.watchOn(h)
		if !errors.Is(err, port.ErrNotSupported) {
			return err
		}
	}
	for _, fd := range []int{b.fd, b.life} {
		if err := unix.SetNonblock(fd, false); err != nil {
			return err
		}
		go func() {
			for !b.closed.Load() {
				b.answer(fd)
				b.host.Wake()
			}
		}()
	}
	return nil
}

func (b *doorbell) watchOn(h port.DescriptorHost) error {
	for _, fd := range []int{b.fd, b.life} {
		if err := unix.SetNonblock(fd, true); err != nil {
			return err
		}
		answer := func(port.Interest) { b.answer(fd) }
		if err := h.WatchDescriptor(uintptr(fd), port.Readable, answer); err != nil {
			return err
		}
	}
	return nil
}

// answer reads the rings that are there, or the end of file. A read that is
// interrupted, or that finds nothing, is as good as one more ring.
func (b *doorbell) answer(fd int) {
	var rings [64]byte
	if n, err := unix.Read(fd, rings[:]); n == 0 && err == nil {
		b.closed.Store(true)
	}
}
