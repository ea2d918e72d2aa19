// Package options reads the benchmark's command line, checks all of it before
// anything starts, and fills in what was left out.
//
//	o, err := options.Parse(os.Args[1:])
//	switch {
//	case errors.Is(err, options.ErrHelp):
//		fmt.Print(options.Usage())
//	case err != nil:
//		fmt.Fprintln(os.Stderr, "bench:", err) // names the value and what is allowed
//	}
package options

import (
	"flag"
	"io"
	"strconv"
	"strings"
	"time"

	"gpureactor/bench/internal/arm"
	"gpureactor/bench/internal/rig"
	"gpureactor/bench/internal/workload"
	"gpureactor/port"
)

// Bounds of the numbers.
const (
	MaxWaiters = 1024
	MaxWaits   = 10_000_000
	MaxRounds  = 1000
)

// Options is a command line that was found good.
type Options struct {
	Device rig.DeviceChoice
	Host   rig.HostChoice
	// Arms are the plans and then the peers, the baseline among them.
	Arms      []arm.Arm
	Workloads []workload.Workload
	Waiters   []int
	// Waits is how many waits each arm makes in each cell, at least; 0 leaves that
	// to Total.
	Waits int
	// Total is about how long the whole run takes if Waits is 0.
	Total  time.Duration
	Rounds int
	Seed   uint64
	// JSON and GoBench are files to write, "" for none.
	JSON, GoBench string
	// List asks for what there is instead of a run.
	List bool
	// BaselineAdded says that the baseline runs though -peers leaves it out.
	BaselineAdded bool
}

// ErrHelp says that the command line asks for the usage text.
var ErrHelp = flag.ErrHelp

// flags is the command line as it is read, before names are looked up.
type flags struct {
	set              *flag.FlagSet
	device, host     string
	plans, workloads texts
	waiters          texts
	peers            string
	waits, rounds    number
	seed             seed
	quick, list      bool
	json, goBench    string
}

func newFlags() *flags {
	f := &flags{set: flag.NewFlagSet("bench", flag.ContinueOnError)}
	f.set.SetOutput(io.Discard)
	f.waits = number{most: MaxWaits}
	f.rounds = number{value: defaultRounds, most: MaxRounds}
	f.seed = 1
	f.set.StringVar(&f.device, "device", "soft", "device to wait for: `NAME`")
	f.set.StringVar(&f.host, "host", rig.Auto, "what the reactor idles on: `NAME`, or auto for the best")
	f.set.Var(&f.plans, "plan", "wait plan to measure: `TEXT` in the grammar of package waitplan; may be repeated (default: five plans)")
	f.set.Var(&f.workloads, "workload", "how long work takes: `TEXT` as shown by -list; may be repeated (default: five workloads)")
	f.set.Var(&f.waiters, "waiters", "numbers of waiters: `N,...`, each 1 to "+strconv.Itoa(MaxWaiters)+"; may be repeated (default 1,8,64)")
	f.set.Var(&f.waits, "waits", "waits of each arm in each cell, at least: `N` from 1 to "+strconv.Itoa(MaxWaits)+" (default: what fits the time)")
	f.set.Var(&f.rounds, "rounds", "rounds in which the arms take turns: `N` from 1 to "+strconv.Itoa(MaxRounds))
	f.set.Var(&f.seed, "seed", "`N` from 0 that work lengths and orders come from")
	f.set.StringVar(&f.peers, "peers", "all", "peers to measure: all, none or `NAME,...`")
	f.set.BoolVar(&f.quick, "quick", false, "ten seconds: fewer workloads and waiters")
	f.set.StringVar(&f.json, "json", "", "write the rows as JSON to `FILE`")
	f.set.StringVar(&f.goBench, "gobench", "", "write the rows in the Go benchmark format to `FILE`")
	f.set.BoolVar(&f.list, "list", false, "show devices, hosts, arms and workloads, and end")
	return f
}

// Usage returns the help text.
func Usage() string {
	f := newFlags()
	var b strings.Builder
	b.WriteString("usage: bench [flags]\n\nMeasures wait plans against what one would write without them.\n\n")
	f.set.SetOutput(&b)
	f.set.PrintDefaults()
	return b.String()
}

// Parse reads a command line. Every error names what was given and what is
// allowed; ErrHelp asks for the usage.
func Parse(args []string) (Options, error) {
	f := newFlags()
	if err := f.set.Parse(args); err != nil {
		return Options{}, err
	}
	if rest := f.set.Args(); len(rest) > 0 {
		return Options{}, refuse("argument", rest[0], "flags only")
	}
	return f.options()
}

func (f *flags) options() (o Options, err error) {
	o.Waits, o.Rounds, o.Seed = f.waits.value, f.rounds.value, uint64(f.seed)
	o.JSON, o.GoBench, o.List = f.json, f.goBench, f.list
	o.Total = total
	if f.quick {
		o.Total = quickTotal
	}
	var errs [5]error
	o.Device, errs[0] = rig.FindDevice(f.device)
	o.Host, errs[1] = rig.FindHost(f.host)
	o.Workloads, errs[2] = f.parseWorkloads()
	o.Waiters, errs[3] = f.parseWaiters()
	errs[4] = f.parseArms(&o)
	for _, err := range errs {
		if err != nil {
			return Options{}, err
		}
	}
	return o, available(o)
}

// available refuses what is known but missing here.
func available(o Options) error {
	for _, c := range []struct{ what, name, missing string }{
		{"device", o.Device.Name, o.Device.Missing()},
		{"host", o.Host.Name, o.Host.Missing()},
	} {
		if c.missing != "" {
			return refuse(c.what, c.name, "one that is available here: "+c.missing)
		}
	}
	return nil
}

func refuse(what, value, want string) error {
	return port.NewError(port.InvalidConfig, what, strconv.Quote(value), want)
}

// WaitsPerSlice returns how many waits each of the waiters makes in each round; 0
// leaves that to the time.
func (o Options) WaitsPerSlice(waiters int) int {
	slices := o.Rounds * waiters
	return (o.Waits + slices - 1) / slices
}
