package soft

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"gpureactor/internal/hammer"
	"gpureactor/port"
)

func TestManyGoroutinesOnSharedStreams(t *testing.T) {
	d := openTest(t, Config{SpinTail: 20 * us})
	shared := []*Stream{newTestStream(t, d), newTestStream(t, d), newTestStream(t, d)}
	hammer.Run(t, hammer.Config{Goroutines: 8, Rounds: 400, Noise: 0.1}, func(w *hammer.Worker) error {
		s := shared[w.Rand.IntN(len(shared))]
		if err := s.Acquire(); err != nil {
			return err
		}
		defer s.Release()
		return useShared(w, s)
	})
	closeTest(t, d)
	if got := d.Stats(); got.Marks != got.Stores || got.Dropped != 0 || got.LostStores != 0 {
		t.Errorf("stats %+v: want as many stores as marks, none dropped", got)
	}
}

// useShared queues something and waits for a mark behind it.
func useShared(w *hammer.Worker, s *Stream) error {
	switch w.Rand.IntN(4) {
	case 0:
		if err := s.Delay(time.Duration(w.Rand.IntN(20)) * us); err != nil {
			return err
		}
	case 1:
		open, err := s.Gate()
		if err != nil {
			return err
		}
		go open()
	}
	ticket, err := s.Mark()
	if err != nil {
		return err
	}
	w.Noise()
	return blockSometimes(w, s, ticket)
}

// blockSometimes waits for a ticket, or gives the wait up.
func blockSometimes(w *hammer.Worker, s *Stream, ticket port.Ticket) error {
	ctx, cancel := context.WithCancelCause(w.Context())
	defer cancel(nil)
	if w.Rand.IntN(3) == 0 {
		cancel(errKernel)
	}
	if err := s.Block(ctx, ticket); err != nil && !errors.Is(err, errKernel) {
		return err
	} else if err == nil && !ticket.Reached() {
		return fmt.Errorf("Block returned before %v was reached", ticket)
	}
	_, err := s.Status()
	return err
}

func TestManyStreamsComeAndGoWithTheirMemory(t *testing.T) {
	d := openTest(t, Config{})
	k := kernelOf(t, d, addKernel)
	hammer.Run(t, hammer.Config{Goroutines: 8, Rounds: 150, Noise: 0.1}, func(w *hammer.Worker) error {
		opened, err := d.NewStream()
		if err != nil {
			return err
		}
		s := opened.(*Stream)
		err = roundOfWork(w, d, s, k)
		return errors.Join(err, s.Close())
	})
	if got := d.Stats(); got.Streams != 0 || got.Buffers != 0 || got.BadRetires != 0 {
		t.Errorf("stats %+v: want no streams, buffers and bad retires", got)
	}
	closeTest(t, d)
}

// roundOfWork fills, adds, copies out and checks, with buffers small and large.
func roundOfWork(w *hammer.Worker, d *Device, s *Stream, k port.Kernel) error {
	size := int64(1 + w.Rand.IntN(3*heavyBytes))
	b, err := d.Alloc(size)
	if err != nil {
		return err
	}
	value, add := byte(w.Rand.IntN(100)), int32(w.Rand.IntN(100))
	dst := make([]byte, size)
	err = errors.Join(
		s.Fill(b, 0, size, value),
		s.Launch(port.Launch{Kernel: k, Args: []port.Arg{port.BufferArg(b, 0), port.Int32Arg(add)}}),
		s.CopyOut(dst, b, 0),
		b.Free(),
	)
	ticket, markErr := s.Mark()
	if err = errors.Join(err, markErr, s.Block(w.Context(), ticket)); err != nil {
		return err
	}
	s.Retire(ticket.Target(), nil)
	if want := value + byte(add); dst[0] != want || dst[size-1] != want {
		return fmt.Errorf("%d bytes read %d to %d, want %d", size, dst[0], dst[size-1], want)
	}
	return nil
}

func TestEveryWaitEndsWhenTheDeviceIsLostUnderIt(t *testing.T) {
	hammer.Run(t, hammer.Config{Goroutines: 2, Rounds: 60}, func(w *hammer.Worker) error {
		d, err := Open(Config{Script: []Fault{{Kind: DeviceLost, After: time.Duration(w.Rand.IntN(300)) * us}}})
		if err != nil {
			return err
		}
		return errors.Join(waitUntilLost(w, d), d.Close())
	})
}

// waitUntilLost marks and waits on three streams until each has failed.
func waitUntilLost(w *hammer.Worker, d *Device) error {
	ended := make(chan error)
	for range 3 {
		go func() { ended <- markUntilLost(w.Context(), d) }()
	}
	var err error
	for range 3 {
		if e := <-ended; !errors.Is(e, port.ErrDeviceLost) {
			err = errors.Join(err, fmt.Errorf("a wait ended with %v", e))
		}
	}
	return err
}

func markUntilLost(ctx context.Context, d *Device) error {
	s, err := d.NewStream()
	if err != nil {
		return err
	}
	for {
		if err := s.(*Stream).Delay(20 * us); err != nil {
			return err
		}
		ticket, err := s.Mark()
		if err != nil {
			return err
		}
		if err := s.Block(ctx, ticket); err != nil {
			return err
		}
	}
}

func TestCloseUnderWorkEndsEveryCall(t *testing.T) {
	hammer.Run(t, hammer.Config{Goroutines: 2, Rounds: 60}, func(w *hammer.Worker) error {
		d, err := Open(Config{})
		if err != nil {
			return err
		}
		ended := make(chan error)
		for range 3 {
			go func() { ended <- markUntilLost(w.Context(), d) }()
		}
		w.Noise()
		err = d.Close()
		for range 3 {
			if e := <-ended; !errors.Is(e, port.ErrClosed) {
				err = errors.Join(err, fmt.Errorf("a call ended with %v", e))
			}
		}
		return err
	})
}
