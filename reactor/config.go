package reactor

import (
	"log/slog"

	"gpureactor/port"
	"gpureactor/waitplan"
)

// Config is what a reactor is made from.
type Config struct {
	// Host is what the reactor idles on. Required. The reactor is its only
	// sleeper; closing it stays with the caller, after the reactor's Close.
	Host port.Host

	// Plans says how waits are spent, by the rows of the current step. Required:
	// at least one plan.
	Plans waitplan.Bands

	// Rows holds the rows of the current step; nil stands for 0 rows always.
	Rows *waitplan.Rows

	// Strict refuses a plan that host or source cannot run, instead of running
	// the declared fallback with a warning.
	Strict bool

	// Points bounds the number of readback points that the deadline estimator
	// keeps; 0 is the default of deadline.NewTable.
	Points int

	// NoBackground keeps the reactor from turning on a goroutine of its own: for
	// an owner who calls Turn or Poll himself.
	NoBackground bool

	// Offload runs f, a driver call that may block, away from the turn. nil
	// starts a goroutine. A test with a virtual clock may run f at once.
	Offload func(f func())

	// Logger gets warnings, such as a plan's fallback. nil logs nothing.
	Logger *slog.Logger
}

func (c *Config) validate() error {
	if c.Host == nil {
		return port.NewError(port.InvalidConfig, "reactor.Config.Host", "nil", "a host")
	}
	if c.Plans.Len() == 0 {
		return port.NewError(port.InvalidConfig, "reactor.Config.Plans", "empty", "at least one plan")
	}
	return nil
}

// Options says how one ticket is waited for.
type Options struct {
	// Point names the place in the caller's code where the result is read back:
	// the key of the deadline estimator. The empty name is a point like others.
	Point string
	// Plan overrides the configured plan; it must not change while the wait is
	// pending. A park that host or source lacks becomes a poll.
	Plan *waitplan.Plan
}
