package porttest

import (
	"bytes"
	"context"

	"gpureactor/port"
)

func deviceOrderCases() []DeviceCase {
	return []DeviceCase{
		{"work-runs-in-order",
			"A stream's work runs in the order it was queued.", runsInOrder},
		{"word-is-behind-the-payload",
			"Everything queued before a mark has finished, and is visible, when its word is seen.", payloadFirst},
		{"later-ticket-implies-earlier",
			"A ticket that is reached means that all earlier ones of its stream are.", impliesEarlier},
	}
}

func runsInOrder(e *deviceEnv) {
	const size = 8 << 10
	d, s := e.one()
	b := e.alloc(d, size)
	var got [6][size]byte
	for i := range got {
		e.must("Fill", s.Fill(b, 0, size, byte(i)))
		e.must("CopyOut", s.CopyOut(got[i][:], b, 0))
	}
	e.finish(s)
	for i := range got {
		if !allAre(got[i][:], byte(i)) {
			e.t.Errorf("copy %d between two fills reads %d", i, got[i][0])
		}
	}
}

func payloadFirst(e *deviceEnv) {
	d, s := e.one()
	for _, size := range []int64{64, 4 << 10, 64 << 10} {
		b := e.alloc(d, size)
		for round := range 60 {
			want := pattern(int(size), round)
			got := make([]byte, size)
			e.must("CopyIn", s.CopyIn(b, 0, want))
			e.must("CopyOut", s.CopyOut(got, b, 0))
			e.await(s, e.mark(s))
			if !bytes.Equal(got, want) {
				e.t.Fatalf("round %d of %d bytes: the word was seen before the copy", round, size)
			}
		}
	}
}

func impliesEarlier(e *deviceEnv) {
	_, s := e.one()
	var tickets []port.Ticket
	for range 10 {
		e.busy(s)
		tickets = append(tickets, e.mark(s))
	}
	e.await(s, tickets[9])
	for _, t := range tickets {
		if !e.reached(s, t) {
			e.t.Errorf("%v is not reached, and a later one is", t)
		}
		e.must("Block on a ticket that is reached", s.Block(context.Background(), t))
	}
}

// pattern returns n bytes that differ from round to round.
func pattern(n, round int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(i*7 + i>>8 + round*31 + 1)
	}
	return p
}

func allAre(p []byte, v byte) bool {
	for _, b := range p {
		if b != v {
			return false
		}
	}
	return true
}
