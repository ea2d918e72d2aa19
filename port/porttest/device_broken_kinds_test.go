package porttest_test

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"gpureactor/backends/soft"
	"gpureactor/port"
)

type idleStream struct{ *soft.Stream }

func (idleStream) Status() (port.Status, error) { return port.StatusIdle, nil }

type busyStream struct{ *soft.Stream }

func (busyStream) Status() (port.Status, error) { return port.StatusBusy, nil }

type doneStream struct{ *soft.Stream }

func (doneStream) Block(context.Context, port.Ticket) error { return nil }

// A deafStream blocks until all tests are over, whatever happens.
type deafStream struct {
	*soft.Stream
	over <-chan struct{}
}

func (s deafStream) Block(context.Context, port.Ticket) error {
	<-s.over
	return nil
}

// A hastyStream stores as soon as it is asked to.
type hastyStream struct{ *soft.Stream }

func (s hastyStream) Mark() (port.Ticket, error) {
	t, err := s.Stream.Mark()
	s.Word().Raise(t.Target())
	return t, err
}

// An ungatedStream's gate holds marks only.
type ungatedStream struct{ *soft.Stream }

func (s ungatedStream) Gate() (func(), error) { return func() {}, nil }

// A tardyStream runs copies out behind the mark that follows them.
type tardyStream struct {
	*soft.Stream
	late []func() error
}

func (s *tardyStream) CopyOut(dst []byte, src port.Buffer, offset int64) error {
	s.late = append(s.late, func() error { return s.Stream.CopyOut(dst, src, offset) })
	return nil
}

func (s *tardyStream) Mark() (port.Ticket, error) {
	t, err := s.Stream.Mark()
	for _, f := range s.late {
		err = errors.Join(err, f())
	}
	s.late = nil
	return t, err
}

type eagerStream struct{ *soft.Stream }

func (s eagerStream) Mark() (port.Ticket, error) {
	t, err := s.Stream.Mark()
	s.Word().Store(t.Target() + 1)
	return t, err
}

type flatStream struct {
	*soft.Stream
	first port.Ticket
}

func (s *flatStream) Mark() (port.Ticket, error) {
	if !s.first.Valid() {
		s.first, _ = s.Stream.Mark()
	}
	return s.first, nil
}

type skippingStream struct{ *soft.Stream }

func (s skippingStream) Mark() (port.Ticket, error) {
	if _, err := s.Stream.Mark(); err != nil {
		return port.Ticket{}, err
	}
	return s.Stream.Mark()
}

// A oneStreamDevice gives out the same stream again and again.
type oneStreamDevice struct {
	port.Device
	only port.Stream
}

func (d *oneStreamDevice) NewStream() (port.Stream, error) {
	if d.only == nil {
		s, err := d.Device.NewStream()
		if err != nil {
			return nil, err
		}
		d.only = s
	}
	return d.only, nil
}

type homelessDevice struct{ port.Device }

func (homelessDevice) Domain() *port.Domain { return nil }

type namelessDevice struct{ port.Device }

func (namelessDevice) Info() port.DeviceInfo { return port.DeviceInfo{} }

// A lazyStream neither copies in nor launches.
type lazyStream struct{ *soft.Stream }

func (lazyStream) CopyIn(port.Buffer, int64, []byte) error { return nil }
func (lazyStream) Launch(port.Launch) error                { return nil }

type spillingStream struct{ *soft.Stream }

func (s spillingStream) Fill(b port.Buffer, _, _ int64, value byte) error {
	return s.Stream.Fill(b, 0, b.Size(), value)
}

// A keepingStream copies in at the next mark what the source holds by then.
type keepingStream struct {
	*soft.Stream
	late []func() error
}

func (s *keepingStream) CopyIn(dst port.Buffer, offset int64, src []byte) error {
	s.late = append(s.late, func() error { return s.Stream.CopyIn(dst, offset, src) })
	return nil
}

func (s *keepingStream) CopyOut(dst []byte, src port.Buffer, offset int64) error {
	for _, f := range s.late {
		if err := f(); err != nil {
			return err
		}
	}
	s.late = nil
	return s.Stream.CopyOut(dst, src, offset)
}

// A laxStream says nothing of what it refused.
type laxStream struct{ *soft.Stream }

func (s laxStream) Fill(b port.Buffer, offset, n int64, value byte) error {
	_ = s.Stream.Fill(b, offset, n, value)
	return nil
}

func (s laxStream) Launch(l port.Launch) error {
	_ = s.Stream.Launch(l)
	return nil
}

// A generousDevice returns a byte to all who ask for less.
type generousDevice struct{ port.Device }

func (d generousDevice) Alloc(size int64) (port.Buffer, error) {
	return d.Device.Alloc(min(max(size, 1), math.MaxInt16))
}

// A freeingDevice's buffers are overwritten in Free, and free any number of times.
type freeingDevice struct{ port.Device }

func (d freeingDevice) Alloc(size int64) (port.Buffer, error) {
	b, err := d.Device.Alloc(size)
	return freeingBuffer{b, d.Device}, err
}

func (d freeingDevice) NewStream() (port.Stream, error) {
	s, err := d.Device.NewStream()
	if err != nil {
		return nil, err
	}
	return freeingStream{s.(*soft.Stream)}, nil
}

type freeingBuffer struct {
	port.Buffer
	dev port.Device
}

func (b freeingBuffer) Free() error {
	s, err := b.dev.NewStream()
	if err != nil {
		return err
	}
	return errors.Join(s.Fill(b.Buffer, 0, b.Size(), 0), s.Close())
}

type freeingStream struct{ *soft.Stream }

func (s freeingStream) Fill(b port.Buffer, offset, n int64, value byte) error {
	_ = s.Stream.Fill(b.(freeingBuffer).Buffer, offset, n, value)
	return nil
}

func (s freeingStream) CopyOut(dst []byte, src port.Buffer, offset int64) error {
	return s.Stream.CopyOut(dst, src.(freeingBuffer).Buffer, offset)
}

func (s freeingStream) CopyIn(dst port.Buffer, offset int64, src []byte) error {
	return s.Stream.CopyIn(dst.(freeingBuffer).Buffer, offset, src)
}

type gullibleDevice struct{ port.Device }

func (d gullibleDevice) Load(p port.Program) (port.Module, error) {
	m, err := d.Device.Load(p)
	if errors.Is(err, port.ErrNotSupported) {
		return m, nil
	}
	return m, err
}

// A fleeingStream's work is held until its device is closed, and its own Close
// does not wait for that.
type fleeingStream struct{ *soft.Stream }

func (s fleeingStream) Mark() (port.Ticket, error) {
	if _, err := s.Gate(); err != nil {
		return port.Ticket{}, err
	}
	return s.Stream.Mark()
}

func (s fleeingStream) Close() error { return nil }

// A strictDevice closes once.
type strictDevice struct {
	port.Device
	closed bool
}

func (d *strictDevice) Close() error {
	if d.closed {
		return port.NewError(port.Closed, "device")
	}
	d.closed = true
	return d.Device.Close()
}

// An openStream can be acquired at any time.
type openStream struct{ *soft.Stream }

func (s openStream) Acquire() error {
	_ = s.Stream.Acquire()
	return nil
}

// A turnstileStream opens the next gate each time any of them is opened.
type turnstileStream struct {
	*soft.Stream
	opens []func()
}

func (s *turnstileStream) Gate() (func(), error) {
	open, err := s.Stream.Gate()
	s.opens = append(s.opens, open)
	return s.turn, err
}

func (s *turnstileStream) turn() {
	if len(s.opens) > 0 {
		s.opens[0]()
		s.opens = s.opens[1:]
	}
}

type endlessStream struct{ *soft.Stream }

func (s endlessStream) Delay(d time.Duration) error {
	if d > 0 {
		d = time.Hour
	}
	return s.Stream.Delay(d)
}

// A selfishStream lets one goroutine block in its life.
type selfishStream struct {
	*soft.Stream
	mu    sync.Mutex
	taken bool
}

func (s *selfishStream) Block(ctx context.Context, t port.Ticket) error {
	s.mu.Lock()
	taken := s.taken
	s.taken = true
	s.mu.Unlock()
	if taken {
		return errors.New("somebody else blocks on this stream")
	}
	return s.Stream.Block(ctx, t)
}

type fussyStream struct{ *soft.Stream }

func (s fussyStream) Fill(b port.Buffer, offset, n int64, value byte) error {
	if n == 0 {
		return port.NewError(port.OutOfRange, "length", "0", "1 and up")
	}
	return s.Stream.Fill(b, offset, n, value)
}

// A privateStream does not see memory unless it is the first of its device.
type privateStream struct{ *soft.Stream }

func (s privateStream) CopyOut(dst []byte, src port.Buffer, offset int64) error {
	if s.Number() > 0 {
		return nil
	}
	return s.Stream.CopyOut(dst, src, offset)
}

// A looseDevice's modules have every kernel, and never close.
type looseDevice struct{ port.Device }

func (d looseDevice) Load(p port.Program) (port.Module, error) {
	m, err := d.Device.Load(p)
	return looseModule{m}, err
}

type looseModule struct{ port.Module }

func (m looseModule) Kernel(string) (port.Kernel, error) { return m.Module.Kernel("vector_add") }
func (m looseModule) Close() error                       { return nil }

// A forgetfulDevice clears the words of its streams when it closes.
type forgetfulDevice struct {
	port.Device
	streams []port.Stream
}

func (d *forgetfulDevice) NewStream() (port.Stream, error) {
	s, err := d.Device.NewStream()
	d.streams = append(d.streams, s)
	return s, err
}

func (d *forgetfulDevice) Close() error {
	for _, s := range d.streams {
		s.Word().Store(0)
	}
	d.streams = nil
	return d.Device.Close()
}
