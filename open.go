package gpureactor

import (
	"errors"
	"fmt"
	"log/slog"

	"gpureactor/backends/soft"
	"gpureactor/hosts/epoll"
	"gpureactor/hosts/std"
	"gpureactor/port"
	"gpureactor/reactor"
	"gpureactor/waitplan"
)

// DefaultPlan is the plan of the zero Config: sleep to 150 us before the predicted
// end, then park on the word and ask the driver every millisecond whether the work
// failed.
const DefaultPlan = "flag:park_us=100,backstop_us=1000+predict:margin_us=150,min_sleep_us=20,max_sleep_us=50000,window=8"

// Config chooses what [Open] opens. The zero value is the embedded software
// device, the best host that this machine has, and [DefaultPlan].
type Config struct {
	// Device is an opened device to use; Runtime.Close leaves it open. nil opens
	// the software device, which Runtime.Close closes.
	Device port.Device

	// Host is what to idle on, the runtime's alone; Runtime.Close leaves it open.
	// nil takes the one that HostName names.
	Host port.Host

	// HostName is "epoll", "std", or "" for the best one that works here. It must
	// be "" when Host is set.
	HostName string

	// Plan is the wait plan: the grammar of package waitplan, bands included. ""
	// is DefaultPlan.
	Plan string

	// Rows holds the rows of the current step, for plans with bands; nil is 0.
	Rows *waitplan.Rows

	// Strict refuses what would need a fallback: a host that is not available, a
	// plan that the host cannot run.
	Strict bool

	// Logger gets what was chosen (debug level) and every fallback (warning).
	// nil logs nothing.
	Logger *slog.Logger
}

// Open opens a runtime. It refuses an unknown host name and an invalid plan, and
// closes again what it had opened when a later part fails.
func Open(cfg Config) (*Runtime, error) {
	if cfg.Plan == "" {
		cfg.Plan = DefaultPlan
	}
	plans, err := waitplan.ParseBands(cfg.Plan)
	if err != nil {
		return nil, err
	}
	rt := &Runtime{}
	if err := rt.open(cfg, plans); err != nil {
		return nil, errors.Join(err, rt.Close())
	}
	if cfg.Logger != nil {
		cfg.Logger.Debug("gpureactor opened", "runtime", rt)
	}
	return rt, nil
}

func (rt *Runtime) open(cfg Config, plans waitplan.Bands) (err error) {
	if err := rt.openHost(cfg); err != nil {
		return err
	}
	if err := rt.openDevice(cfg); err != nil {
		return err
	}
	rt.plans = plans
	rt.reactor, err = reactor.New(reactor.Config{
		Host: rt.host, Plans: plans, Rows: cfg.Rows, Strict: cfg.Strict, Logger: cfg.Logger,
	})
	return err
}

// openDevice takes the device given, or the software device.
func (rt *Runtime) openDevice(cfg Config) error {
	if cfg.Device != nil {
		rt.device, rt.deviceWhy = cfg.Device, "given"
		return nil
	}
	d, err := soft.Open(soft.Config{})
	if err != nil {
		return err
	}
	rt.device, rt.deviceWhy = d, "default"
	rt.own(d.Close)
	return nil
}

// openHost takes the host given, the host named, or the best that works. With a
// name that is known but does not work here, std serves unless Strict forbids.
func (rt *Runtime) openHost(cfg Config) error {
	switch {
	case cfg.Host != nil && cfg.HostName != "":
		return port.NewError(port.InvalidConfig, "Config.HostName", cfg.HostName, `"" when Config.Host is set`)
	case cfg.Host != nil:
		rt.host, rt.hostWhy = cfg.Host, "given"
		return nil
	case cfg.HostName == "std":
		rt.useStd("named")
		return nil
	case cfg.HostName != "" && cfg.HostName != "epoll":
		return port.NewError(port.InvalidConfig, "Config.HostName", fmt.Sprintf("%q", cfg.HostName), "std, epoll or nothing")
	}
	return rt.useBest(cfg)
}

func (rt *Runtime) useBest(cfg Config) error {
	h, err := epoll.New(epoll.Config{})
	switch {
	case err == nil:
		rt.host, rt.hostWhy = h, "best available"
		if cfg.HostName != "" {
			rt.hostWhy = "named"
		}
		rt.own(h.Close)
		return nil
	case cfg.HostName != "" && cfg.Strict:
		return err
	}
	if cfg.Logger != nil && cfg.HostName != "" {
		cfg.Logger.Warn("host epoll is not available, running std", "error", err)
	}
	rt.useStd("epoll is not available: " + err.Error())
	return nil
}

func (rt *Runtime) useStd(why string) {
	h := std.New(std.Config{})
	rt.host, rt.hostWhy = h, why
	rt.own(h.Close)
}
