package arm

import (
	"context"
	"errors"
	"slices"

	"gpureactor/port"
	"gpureactor/reactor"
	"gpureactor/waitplan"
)

const (
	flagText    = "flag:park_us=100,backstop_us=1000"
	predictText = "+predict:margin_us=150,min_sleep_us=20,max_sleep_us=50000,window=8"
)

// Plans returns the plans that run unless others are asked for.
func Plans() []Arm {
	var all []Arm
	for _, named := range []struct{ name, text string }{
		{"block", "block"},
		{"poll", "poll"},
		{"flag", flagText},
		{"flag+predict", flagText + predictText},
		{"poll+predict", "poll" + predictText},
	} {
		plans, err := waitplan.ParseBands(named.text)
		if err != nil {
			panic("BUG: arm: " + err.Error())
		}
		all = append(all, planned(named.name, plans))
	}
	return all
}

// ParsePlan returns the arm of a plan's text, bands included. Its name is that of
// the default plan that it equals, else the text. It fails as waitplan does.
func ParsePlan(text string) (Arm, error) {
	plans, err := waitplan.ParseBands(text)
	if err != nil {
		return Arm{}, err
	}
	all := Plans()
	if i := slices.IndexFunc(all, func(a Arm) bool { return a.Text == plans.String() }); i >= 0 {
		return all[i], nil
	}
	return planned(plans.String(), plans), nil
}

func planned(name string, plans waitplan.Bands) Arm {
	return Arm{name, Plan, plans.String(), func(s Setup) (Session, error) { return openPlan(s, plans) }}
}

// planSession is a reactor with a host of its own.
type planSession struct {
	host    port.Host
	reactor *reactor.Reactor
	streams []*reactor.Stream
}

func openPlan(setup Setup, plans waitplan.Bands) (Session, error) {
	host, err := setup.Host()
	if err != nil {
		return nil, err
	}
	s := &planSession{host: host}
	if err := s.open(setup, plans); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *planSession) open(setup Setup, plans waitplan.Bands) (err error) {
	s.reactor, err = reactor.New(reactor.Config{Host: s.host, Plans: plans})
	if err != nil {
		return err
	}
	for _, source := range setup.Sources {
		stream, err := s.reactor.Register(source)
		if err != nil {
			return err
		}
		s.streams = append(s.streams, stream)
	}
	return nil
}

// point is the one place where the benchmark reads results back.
var point = reactor.Options{Point: "bench"}

func (s *planSession) Wait(ctx context.Context, i int, t port.Ticket) error {
	_, err := s.streams[i].AwaitTicket(ctx, t, point)
	return err
}

func (s *planSession) Close() error {
	var err error
	if s.reactor != nil {
		err = s.reactor.Close()
	}
	return errors.Join(err, s.host.Close())
}
