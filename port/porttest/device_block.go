package porttest

import (
	"context"
	"errors"

	"gpureactor/port"
)

func deviceBlockCases() []DeviceCase {
	return []DeviceCase{
		{"block-waits-for-its-ticket",
			"Block returns nil once the ticket's work has finished.", blockWaits},
		{"block-ends-with-its-context",
			"Block returns the context's cause when that ends, and the stream goes on.", blockCancel},
		{"block-serves-many",
			"Any number of goroutines may block on one stream.", blockMany},
		{"block-refuses-strange-tickets",
			"Block refuses the zero ticket and one of another word.", blockStrange},
	}
}

func blockWaits(e *deviceEnv) {
	d, s := e.one()
	b := e.alloc(d, 4)
	for i := range 10 {
		got := make([]byte, 4)
		e.must("Fill", s.Fill(b, 0, 4, byte(i)))
		e.must("CopyOut", s.CopyOut(got, b, 0))
		e.busy(s)
		t := e.mark(s)
		e.must("Block", e.result("Block", e.block(s, t)))
		s.Retire(t.Target(), nil)
		if !allAre(got, byte(i)) {
			e.t.Errorf("round %d: copy reads %d after Block", i, got[0])
		}
	}
}

// errCause is what the suite ends its contexts with.
var errCause = errors.New("porttest: the case ends this wait")

func blockCancel(e *deviceEnv) {
	_, s := e.one()
	open := e.gate(s)
	t := e.mark(s)
	ctx, cancel := context.WithCancelCause(context.Background())
	call := e.start(func() error { return s.Block(ctx, t) })
	cancel(errCause)
	if err := e.result("Block of a cancelled context", call); !errors.Is(err, errCause) {
		e.t.Errorf("Block returned %v, want the cause", err)
	}
	if err := s.Block(ctx, t); !errors.Is(err, errCause) {
		e.t.Errorf("Block with an ended context returned %v, want the cause", err)
	}
	open()
	e.await(s, t)
}

func blockMany(e *deviceEnv) {
	_, s := e.one()
	open := e.gate(s)
	var calls []*deviceCall
	for range 16 {
		t := e.mark(s)
		calls = append(calls, e.block(s, t), e.block(s, t))
	}
	open()
	for _, c := range calls {
		e.must("Block", e.result("Block", c))
	}
}

func blockStrange(e *deviceEnv) {
	d, s := e.one()
	other := e.stream(d)
	t := e.mark(other)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for name, strange := range map[string]port.Ticket{"the zero ticket": {}, "a ticket of another stream": t} {
		call := e.start(func() error { return s.Block(ctx, strange) })
		if e.result("Block on "+name, call) == nil {
			e.t.Errorf("Block took %s", name)
		}
	}
	e.await(other, t)
}
