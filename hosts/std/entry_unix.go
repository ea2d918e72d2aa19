//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris

package std

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"gpureactor/internal/platform"
	"gpureactor/port"
)

// An entry is a watched descriptor: a duplicate that the runtime polls, so that
// the caller's own stays out of its poller.
type entry struct {
	fd       uintptr
	dup      int
	interest port.Interest
	run      func(port.Interest)

	file    *os.File // owns dup
	guards  []*guard
	running sync.WaitGroup
}

func openEntry(fd uintptr, interest port.Interest, f func(port.Interest), ring func()) (*entry, error) {
	if err := platform.CheckNonBlocking(fd); err != nil {
		return nil, err
	}
	dup, err := unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, platform.DescriptorError(fd, "cannot be duplicated").WithCause(err)
	}
	e := &entry{fd: fd, dup: dup, interest: interest, run: f, file: os.NewFile(uintptr(dup), "watched")}
	if err := e.start(ring); err != nil {
		return nil, errors.Join(platform.DescriptorError(fd, "cannot be polled").WithCause(err), e.file.Close())
	}
	return e, nil
}

// start begins a goroutine for each direction, unless the system cannot poll the
// descriptor: the runtime then takes no deadline for it, or poll calls it invalid.
func (e *entry) start(ring func()) error {
	if err := e.file.SetDeadline(time.Time{}); err != nil {
		return err
	}
	if state(e.dup, eventsOf(e.interest))&unix.POLLNVAL != 0 {
		return unix.ENOTSUP
	}
	raw, err := e.file.SyscallConn()
	if err != nil {
		return err
	}
	if e.interest&port.Readable != 0 {
		e.guard(raw.Read, port.Readable, ring)
	}
	if e.interest&port.Writable != 0 {
		e.guard(raw.Write, port.Writable, ring)
	}
	return nil
}

func (e *entry) guard(wait func(func(uintptr) bool) error, direction port.Interest, ring func()) {
	g := &guard{orders: make(chan struct{}, 1), ring: ring}
	e.guards = append(e.guards, g)
	events := eventsOf(direction)
	e.running.Go(func() {
		g.stand(wait, func(fd uintptr) bool { return state(int(fd), events) != 0 })
	})
}

// arm has the guards ring once the descriptor is ready. It does not block.
func (e *entry) arm() {
	for _, g := range e.guards {
		g.arm()
	}
}

// close ends the goroutines and closes the duplicate. Nobody arms the entry any
// more.
func (e *entry) close() error {
	for _, g := range e.guards {
		close(g.orders)
	}
	err := e.file.Close()
	e.running.Wait()
	return err
}

// A guard is a goroutine that waits for one direction of a descriptor.
type guard struct {
	// armed is set by the sleeper, and cleared by the guard before it rings.
	armed  atomic.Bool
	orders chan struct{} // one slot, filled when armed is set
	ring   func()
}

func (g *guard) arm() {
	if g.armed.CompareAndSwap(false, true) {
		g.orders <- struct{}{}
	}
}

// stand waits for the descriptor once for each order, until the file is closed.
func (g *guard) stand(wait func(func(uintptr) bool) error, ready func(uintptr) bool) {
	for range g.orders {
		if wait(ready) != nil {
			return
		}
		g.armed.Store(false)
		g.ring()
	}
}

// state returns what poll says of fd at once.
func state(fd int, events int16) int16 {
	one := [1]unix.PollFd{{Fd: int32(fd), Events: events}}
	poll(one[:])
	return one[0].Revents
}

// poll asks without waiting.
func poll(fds []unix.PollFd) {
	for {
		switch _, err := unix.Poll(fds, 0); err {
		case nil:
			return
		case syscall.EINTR, syscall.EAGAIN:
		default:
			panic("BUG: poll: " + err.Error())
		}
	}
}

func eventsOf(i port.Interest) (events int16) {
	if i&port.Readable != 0 {
		events |= unix.POLLIN
	}
	if i&port.Writable != 0 {
		events |= unix.POLLOUT
	}
	return events
}

func readyOf(events int16) (ready port.Interest) {
	const both = unix.POLLERR | unix.POLLHUP | unix.POLLNVAL
	if events&(unix.POLLIN|both) != 0 {
		ready |= port.Readable
	}
	if events&(unix.POLLOUT|both) != 0 {
		ready |= port.Writable
	}
	return ready
}
