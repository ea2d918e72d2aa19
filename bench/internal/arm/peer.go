package arm

import (
	"context"
	"runtime"
	"time"

	"gpureactor/port"
)

// Peers returns all peers, the baseline first.
func Peers() []Arm {
	return []Arm{Spin(), yielding(), sleeping(), relaying(), blocking()}
}

// Spin is the baseline of the ratios: each waiter loads its word in a loop and
// keeps its core.
func Spin() Arm {
	return peer("spin", "spins on the word, on the waiter's goroutine", spin)
}

// looksPerCheck is the number of loads between two looks at the context, so that
// those cost next to nothing.
const looksPerCheck = 64

func spin(ctx context.Context, _ int, t port.Ticket) error {
	for {
		for range looksPerCheck {
			if t.Reached() {
				return nil
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

func yielding() Arm {
	return peer("gosched", "polls the word and calls runtime.Gosched in between",
		func(ctx context.Context, _ int, t port.Ticket) error {
			for !t.Reached() {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				runtime.Gosched()
			}
			return nil
		})
}

// nap is how long the sleeping peer asks to sleep. What it gets is more.
const nap = 20 * time.Microsecond

func sleeping() Arm {
	return peer("sleep-20us", "polls the word and calls time.Sleep(20us) in between",
		func(ctx context.Context, _ int, t port.Ticket) error {
			for !t.Reached() {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				time.Sleep(nap)
			}
			return nil
		})
}

func peer(name, text string, wait stateless) Arm {
	return Arm{name, Peer, text, func(Setup) (Session, error) { return wait, nil }}
}

// blocking holds one OS thread for each wait, as a program does that makes the
// vendor's blocking call.
func blocking() Arm {
	return Arm{"thread-block", Peer, "locks an OS thread and blocks it in the device's own wait",
		func(s Setup) (Session, error) {
			return stateless(func(ctx context.Context, i int, t port.Ticket) error {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				return s.Sources[i].Block(ctx, t)
			}), nil
		}}
}
