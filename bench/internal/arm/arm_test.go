package arm

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"gpureactor/backends/soft"
	"gpureactor/hosts/std"
	"gpureactor/port"
)

// streams opens a device with n streams.
func streams(t *testing.T, n int) []*soft.Stream {
	t.Helper()
	d, err := soft.Open(soft.Config{SettleBound: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() }) // work of an hour is left: it cannot settle
	var all []*soft.Stream
	for range n {
		s, err := d.NewStream()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s.(*soft.Stream))
	}
	return all
}

func open(t *testing.T, a Arm, on []*soft.Stream) Session {
	t.Helper()
	setup := Setup{Host: func() (port.Host, error) { return std.New(std.Config{}), nil }}
	for _, s := range on {
		setup.Sources = append(setup.Sources, s)
	}
	session, err := a.Open(setup)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	return session
}

func mark(t *testing.T, s *soft.Stream, d time.Duration) port.Ticket {
	if err := s.Delay(d); err != nil {
		t.Error(err)
	}
	ticket, err := s.Mark()
	if err != nil {
		t.Error(err)
	}
	return ticket
}

func everyArm(t *testing.T) []Arm {
	t.Helper()
	bands, err := ParsePlan("poll;rows>=4:block")
	if err != nil {
		t.Fatal(err)
	}
	return append(append(Plans(), bands), Peers()...)
}

func TestEveryArmWaitsUntilTheTicketIsReached(t *testing.T) {
	for _, a := range everyArm(t) {
		t.Run(a.Name, func(t *testing.T) {
			on := streams(t, 3)
			session := open(t, a, on)
			var all sync.WaitGroup
			for i, s := range on {
				all.Go(func() {
					for range 20 {
						ticket := mark(t, s, 50*time.Microsecond)
						if err := session.Wait(t.Context(), i, ticket); err != nil || !ticket.Reached() {
							t.Errorf("waiter %d: %v, reached %v", i, err, ticket.Reached())
						}
					}
				})
			}
			all.Wait()
		})
	}
}

func TestEveryArmEndsWithItsContext(t *testing.T) {
	cause := errors.New("enough")
	for _, a := range everyArm(t) {
		t.Run(a.Name, func(t *testing.T) {
			on := streams(t, 2)
			session := open(t, a, on)
			ctx, cancel := context.WithCancelCause(t.Context())
			ended := make(chan error)
			for i, s := range on {
				ticket := mark(t, s, time.Hour)
				go func() { ended <- session.Wait(ctx, i, ticket) }()
			}
			cancel(cause)
			for range on {
				if err := <-ended; !errors.Is(err, cause) {
					t.Errorf("ended with %v, want the cause of the context", err)
				}
			}
		})
	}
}

func TestNamesAreUniqueAndTextsAreThere(t *testing.T) {
	seen := make(map[string]bool)
	for _, a := range everyArm(t) {
		if seen[a.Name] || a.Name == "" || a.Text == "" || strings.ContainsAny(a.Name, " /\t") {
			t.Errorf("arm %+v: a name must be unique and fit a benchmark's name, and have a text", a.Name)
		}
		seen[a.Name] = true
	}
}

func TestPlanThatIsADefaultHasItsName(t *testing.T) {
	tests := []struct{ text, name string }{
		{"block", "block"},
		{flagText, "flag"},
		{flagText + predictText, "flag+predict"},
		{"flag:park_us=99,backstop_us=1000", "flag:park_us=99,backstop_us=1000"},
		{"block;rows>=2:poll", "block;rows>=2:poll"},
	}
	for _, test := range tests {
		a, err := ParsePlan(test.text)
		if err != nil || a.Name != test.name || a.Kind != Plan || a.Text != test.text {
			t.Errorf("%q is %q with text %q, %v; want %q", test.text, a.Name, a.Text, err, test.name)
		}
	}
}

func TestPlanThatIsNoneIsRefused(t *testing.T) {
	for _, text := range []string{"", "spin", "block+predict", "poll;", flagText + "x"} {
		if _, err := ParsePlan(text); !errors.Is(err, port.ErrInvalidPlan) || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v, want InvalidPlan with the text", text, err)
		}
	}
}

func TestPlanNeedsItsHost(t *testing.T) {
	none := errors.New("no host")
	for _, a := range Plans() {
		_, err := a.Open(Setup{Host: func() (port.Host, error) { return nil, none }})
		if !errors.Is(err, none) {
			t.Errorf("%s: %v, want the host's error", a.Name, err)
		}
	}
}

// A hostCounter counts those that are open.
type hostCounter struct {
	port.Host
	open *int
}

func (h hostCounter) Close() error {
	*h.open--
	return h.Host.Close()
}

func TestPlanThatDoesNotOpenClosesItsHost(t *testing.T) {
	on := streams(t, 1)
	opened := 0
	setup := Setup{
		Sources: []port.Source{on[0], nil},
		Host: func() (port.Host, error) {
			opened++
			return hostCounter{std.New(std.Config{}), &opened}, nil
		},
	}
	for _, a := range Plans() {
		if _, err := a.Open(setup); !errors.Is(err, port.InvalidSource) {
			t.Errorf("%s on a nil source: %v, want InvalidSource", a.Name, err)
		}
	}
	if opened != 0 {
		t.Errorf("%d hosts are left open", opened)
	}
}

func TestPeersAllocateNothing(t *testing.T) {
	for _, a := range Peers() {
		on := streams(t, 1)
		session := open(t, a, on)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		wait := func() {
			if err := session.Wait(ctx, 0, mark(t, on[0], 0)); err != nil {
				t.Error(err)
			}
		}
		if n := testing.AllocsPerRun(100, wait); n != 0 {
			t.Errorf("%s: %v allocations a wait", a.Name, n)
		}
	}
}
