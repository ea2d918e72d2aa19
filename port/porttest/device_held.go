package porttest

import (
	"context"
	"errors"

	"gpureactor/port"
)

func deviceHeldCases() []DeviceCase {
	return []DeviceCase{
		{"gate-holds-the-word",
			"The store of a mark lands behind the work before it and not earlier.", gateHoldsWord},
		{"gate-holds-the-status",
			"Status says busy while queued work has not finished.", gateHoldsStatus},
		{"gate-holds-the-block",
			"Block does not return while the ticket's work has not finished, and does once it has.", gateHoldsBlock},
		{"gate-holds-the-memory",
			"Work behind a gate does not run before the gate is open.", gateHoldsMemory},
		{"gate-holds-its-stream-only",
			"Streams run beside each other: one that is held back holds no other.", gateHoldsOne},
		{"gate-opens-more-than-once",
			"A gate may be opened any number of times, each gate for itself.", gateOpensAgain},
		{"new-stream-reaches-nothing",
			"The first ticket of a stream is not reached before its store, whoever had the word before.", freshWord},
		{"delay-ends",
			"A delay ends, a delay of 0 too; a negative one is refused and queues nothing.", delayEnds},
	}
}

func gateHoldsWord(e *deviceEnv) {
	d, s := e.one()
	open := e.gate(s)
	first, second := e.mark(s), e.mark(s)
	e.meanwhile(d, func() {
		if e.reached(s, first) || e.reached(s, second) {
			e.t.Fatalf("the word was reached behind a closed gate")
		}
	})
	open()
	e.await(s, first)
	e.await(s, second)
}

func gateHoldsStatus(e *deviceEnv) {
	d, s := e.one()
	open := e.gate(s)
	t := e.mark(s)
	e.meanwhile(d, func() {
		status, err := s.Status()
		e.must("Status", err)
		if status != port.StatusBusy {
			e.t.Fatalf("status is %v behind a closed gate", status)
		}
	})
	open()
	e.await(s, t)
	e.until("status is idle", func() bool {
		status, err := s.Status()
		e.must("Status", err)
		return status == port.StatusIdle
	})
}

func gateHoldsBlock(e *deviceEnv) {
	d, s := e.one()
	open := e.gate(s)
	t := e.mark(s)
	ctx, cancel := context.WithCancelCause(context.Background())
	call := e.start(func() error { return s.Block(ctx, t) })
	e.meanwhile(d, func() {})
	cancel(errCause)
	if err := e.result("Block", call); !errors.Is(err, errCause) {
		e.t.Fatalf("Block returned %v behind a closed gate", err)
	}
	call = e.block(s, t)
	open()
	e.must("Block", e.result("Block", call))
}

func gateHoldsMemory(e *deviceEnv) {
	d, s := e.one()
	b := e.alloc(d, 64)
	e.must("Fill", s.Fill(b, 0, 64, 1))
	e.finish(s)
	open := e.gate(s)
	e.must("Fill", s.Fill(b, 0, 64, 2))
	other := e.stream(d)
	e.meanwhile(d, func() {
		if got := e.readBack(other, b, 0, 64); !allAre(got, 1) {
			e.t.Fatalf("memory reads %d: a fill behind a closed gate ran", got[0])
		}
	})
	open()
	e.finish(s)
	if got := e.readBack(s, b, 0, 64); !allAre(got, 2) {
		e.t.Errorf("memory reads %d after the gate was opened, want 2", got[0])
	}
}

func gateHoldsOne(e *deviceEnv) {
	d, held := e.one()
	free := e.stream(d)
	open := e.gate(held)
	t := e.mark(held)
	for range 20 {
		e.busy(free)
		e.finish(free)
	}
	if e.reached(held, t) {
		e.t.Errorf("the held stream's word was reached")
	}
	open()
	e.await(held, t)
}

func gateOpensAgain(e *deviceEnv) {
	d, s := e.one()
	first := e.gate(s)
	a := e.mark(s)
	second := e.gate(s)
	b := e.mark(s)
	first()
	first()
	e.await(s, a)
	e.meanwhile(d, func() {
		if e.reached(s, b) {
			e.t.Fatalf("opening one gate twice opened the next")
		}
	})
	second()
	e.await(s, b)
	second()
	first()
}

func freshWord(e *deviceEnv) {
	d := e.device()
	for range 3 * port.LineWords {
		s := e.stream(d)
		open := e.gate(s)
		t := e.mark(s)
		if e.reached(s, t) {
			e.t.Fatalf("%v was reached before its store", t)
		}
		open()
		e.await(s, t)
		e.finish(s)
		e.must("Close", s.Close())
	}
}

func delayEnds(e *deviceEnv) {
	_, s := e.one()
	delayer := e.delayer(s)
	before := e.mark(s)
	e.refused("Delay(-1)", delayer.Delay(-1), port.ErrOutOfRange)
	e.must("Delay(0)", delayer.Delay(0))
	e.must("Delay", delayer.Delay(1000))
	after := e.mark(s)
	if after.Target() != before.Target()+1 {
		e.t.Errorf("marks %d and %d around delays", before.Target(), after.Target())
	}
	e.await(s, after)
}
