package waitplan_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"gpureactor/deadline"
	"gpureactor/port"
	"gpureactor/port/manual"
	"gpureactor/waitplan"
)

// stream is a fake stream in virtual time: each mark's work takes a given time.
type stream struct {
	clock    *manual.Clock
	host     *manual.Host
	word     port.Word
	domain   *port.Domain
	takes    time.Duration
	marked   uint64
	idleAt   port.Time
	lost     bool // the next store never lands
	fault    error
	held     int
	retired  uint64
	retErr   error
	queries  int
	closed   bool
	blocking int
}

func newStream() *stream {
	clock := &manual.Clock{}
	return &stream{clock: clock, host: manual.NewHost(clock), word: new(port.Line).Word(port.Slot{}), domain: port.NewDomain("d")}
}

func (s *stream) work() { s.idleAt = s.clock.Now().Add(s.takes) }

func (s *stream) Word() port.Word          { return s.word }
func (s *stream) Domain() *port.Domain     { return s.domain }
func (s *stream) Release()                 { s.held-- }
func (s *stream) Retire(n uint64, e error) { s.retired, s.retErr = n, e }
func (s *stream) Acquire() error {
	if s.closed {
		return port.NewError(port.Closed, "stream")
	}
	s.held++
	return nil
}
func (s *stream) Mark() (port.Ticket, error) {
	s.marked++
	n := s.marked
	if !s.lost {
		s.clock.At(s.idleAt, func() { s.word.Store(n) })
	}
	return port.NewTicket(s.word, n), nil
}
func (s *stream) Status() (port.Status, error) {
	s.queries++
	if s.clock.Now() < s.idleAt {
		return port.StatusBusy, s.fault
	}
	return port.StatusIdle, s.fault
}
func (s *stream) Block(ctx context.Context, t port.Ticket) error {
	s.blocking++
	s.clock.Set(s.idleAt)
	return s.fault
}

func (s *stream) await(t *testing.T, text string, tk port.Ticket, p *deadline.Point) (waitplan.Report, error) {
	t.Helper()
	return waitplan.NewInline(s.host).Await(context.Background(), s, tk, *plan(t, text), p)
}

func TestInlineRunsEveryPlanToItsEnd(t *testing.T) {
	for _, text := range []string{"block", "poll", "flag:park_us=100,backstop_us=1000", predictText, predictText + "+confirm=status"} {
		t.Run(text, func(t *testing.T) {
			s := newStream()
			s.takes = 3 * ms
			for range 3 {
				s.work()
				r, err := s.await(t, text, port.Ticket{}, nil)
				if err != nil || r.Waited != 3*ms || s.retired != s.marked || s.held != 0 {
					t.Fatalf("%+v, %v, retired %d of %d, held %d", r, err, s.retired, s.marked, s.held)
				}
			}
		})
	}
}

func TestInlineLearnsAndSleeps(t *testing.T) {
	s := newStream()
	s.takes = ms
	table, err := deadline.NewTable(0)
	if err != nil {
		t.Fatal(err)
	}
	point := table.Point("p")
	for i, slept := range []time.Duration{0, 850 * us} {
		s.work()
		r, err := s.await(t, predictText, port.Ticket{}, point)
		if err != nil || r.Slept != slept || r.Residual != ms {
			t.Fatalf("wait %d: %+v, %v", i, r, err)
		}
	}
}

func TestInlineCompletesALostStoreByTheStatus(t *testing.T) {
	s := newStream()
	s.takes, s.lost = 500*us, true
	s.work()
	r, err := s.await(t, "flag:park_us=100,backstop_us=1000", port.Ticket{}, nil)
	if err != nil || !r.LostStore {
		t.Fatalf("%+v, %v", r, err)
	}
}

func TestInlineReturnsTheDriversError(t *testing.T) {
	for _, text := range []string{"block", "poll", "flag:park_us=100,backstop_us=1000"} {
		s := newStream()
		s.takes = 100 * ms
		s.work()
		tk, _ := s.Mark()
		s.fault = port.DriverError("query", 700, "FAULT")
		_, err := s.await(t, text, tk, nil)
		if !errors.Is(err, port.Backend) || s.retErr == nil || s.held != 0 {
			t.Fatalf("%s: %v, retired with %v, held %d", text, err, s.retErr, s.held)
		}
	}
}

func TestInlineEndsWithItsContextAndRetiresNothing(t *testing.T) {
	s := newStream()
	s.takes = time.Hour
	s.work()
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	s.clock.At(port.Time(5*ms), func() { cancel(why) })
	_, err := waitplan.NewInline(s.host).Await(ctx, s, port.Ticket{}, *plan(t, "flag:park_us=100,backstop_us=1000"), nil)
	if !errors.Is(err, why) || s.retired != 0 || s.held != 0 {
		t.Fatalf("%v, retired %d, held %d", err, s.retired, s.held)
	}
}

func TestInlineRefusesBadInput(t *testing.T) {
	s, other := newStream(), newStream()
	in := waitplan.NewInline(s.host)
	ctx := context.Background()
	poll := *plan(t, "poll")
	if _, err := in.Await(ctx, nil, port.Ticket{}, poll, nil); !errors.Is(err, port.InvalidSource) {
		t.Errorf("nil source: %v", err)
	}
	if _, err := in.Await(ctx, s, port.Ticket{}, waitplan.Plan{}, nil); !errors.Is(err, port.InvalidPlan) {
		t.Errorf("zero plan: %v", err)
	}
	if _, err := in.Await(ctx, s, port.NewTicket(other.word, 1), poll, nil); !errors.Is(err, port.ErrForeign) {
		t.Errorf("foreign ticket: %v", err)
	}
	s.closed = true
	if _, err := in.Await(ctx, s, port.Ticket{}, poll, nil); !errors.Is(err, port.ErrClosed) {
		t.Errorf("closed source: %v", err)
	}
}
