package waitplan_test

import (
	"bytes"
	"context"
	"testing"

	"gpureactor/backends/soft"
	"gpureactor/port"
	"gpureactor/port/manual"
	"gpureactor/waitplan"
)

func softStream(t *testing.T) (*manual.Clock, *soft.Device, port.Stream) {
	clock := &manual.Clock{}
	d, err := soft.Open(soft.Config{Alarm: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	s, err := d.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	return clock, d, s
}

// The zero ticket stands for all the work queued so far: copies out are there when
// Await returns, whether or not the stream was idle already.
func TestInlineZeroTicketDeliversCopies(t *testing.T) {
	clock, d, s := softStream(t)
	b, _ := d.Alloc(4)
	s.Fill(b, 0, 4, 7)
	dst := make([]byte, 4)
	s.CopyOut(dst, b, 0)
	for {
		if st, err := s.Status(); err != nil {
			t.Fatal(err)
		} else if st == port.StatusIdle {
			break
		}
		clock.Advance(1000)
	}
	in := waitplan.NewInline(manual.NewHost(clock))
	if _, err := in.Await(context.Background(), s, port.Ticket{}, *plan(t, "poll"), nil); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(dst, []byte{7, 7, 7, 7}) {
		t.Fatalf("Await returned success and dst is %v", dst)
	}
}

// Retire is called in rising order.
func TestInlineRetiresInRisingOrder(t *testing.T) {
	clock, d, s := softStream(t)
	t1, _ := s.Mark()
	t2, _ := s.Mark()
	clock.Advance(1000000)
	in := waitplan.NewInline(manual.NewHost(clock))
	for _, tk := range []port.Ticket{t2, t1} {
		if _, err := in.Await(context.Background(), s, tk, *plan(t, "poll"), nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := d.Stats().BadRetires; n != 0 {
		t.Fatalf("%d retirements broke the contract", n)
	}
}

// After Finish, Next keeps returning Finish, and the report is final.
func TestFinishIsFinal(t *testing.T) {
	for _, e := range []waitplan.Event{waitplan.Pending, waitplan.Reached, waitplan.Seen, waitplan.Armed, waitplan.Busy, waitplan.Idle, waitplan.Unblocked} {
		var w waitplan.Wait
		w.BeginTicket(plan(t, "poll"), 0, 0)
		w.Next(waitplan.Pending, 1)
		if a := w.Next(waitplan.Seen, 2); a.Kind != waitplan.Finish {
			t.Fatal(a)
		}
		before := w.Report()
		if a := w.Next(e, 5); a.Kind != waitplan.Finish || w.Report() != before {
			t.Errorf("%v after Finish: %v, %+v, was %+v", e, a.Kind, w.Report(), before)
		}
	}
}
