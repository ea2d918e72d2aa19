//go:build unix

package remote

import (
	"errors"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"gpureactor/port"
)

// A doorbell is the child's end of the doorbell's pipe.
type doorbell struct {
	host   port.Host
	fd     int
	closed atomic.Bool // the parent closed it, or is gone
	buffer [64]byte
}

// watch has a ring end the host's sleep: by the host itself where it can watch a
// descriptor, else by a goroutine that blocks in a read.
func (b *doorbell) watch() error {
	if h, ok := b.host.(port.DescriptorHost); ok {
		err := b.watchOn(h)
		if !errors.Is(err, port.ErrNotSupported) {
			return err
		}
	}
	if err := unix.SetNonblock(b.fd, false); err != nil {
		return err
	}
	go func() {
		for !b.closed.Load() {
			b.answer()
			b.host.Wake()
		}
	}()
	return nil
}

func (b *doorbell) watchOn(h port.DescriptorHost) error {
	if err := unix.SetNonblock(b.fd, true); err != nil {
		return err
	}
	return h.WatchDescriptor(uintptr(b.fd), port.Readable, func(port.Interest) { b.answer() })
}

// answer reads the rings that are there. A read that is interrupted, or that
// finds nothing, is as good as one more ring.
func (b *doorbell) answer() {
	n, err := unix.Read(b.fd, b.buffer[:])
	if n == 0 && err == nil {
		b.closed.Store(true)
	}
}
