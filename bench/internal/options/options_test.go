package options

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gpureactor/bench/internal/arm"
	"gpureactor/internal/testmain"
	"gpureactor/port"
)

func TestMain(m *testing.M) { testmain.Main(m) }

func armNames(o Options) string { return names(o.Arms) }

const (
	planNames = "block, poll, flag, flag+predict, poll+predict"
	peerNames = "spin, gosched, sleep-20us, goroutine-chan, thread-block"
)

func TestDefaults(t *testing.T) {
	o, err := Parse(nil)
	if err != nil {
		t.Fatal(err)
	}
	if o.Device.Name != "soft" || o.Host.Name == "" || o.Host.Name == "auto" {
		t.Errorf("device %q, host %q: auto must be resolved", o.Device.Name, o.Host.Name)
	}
	if got := armNames(o); got != planNames+", "+peerNames {
		t.Errorf("arms %s", got)
	}
	if !slices.Equal(o.Waiters, []int{1, 8, 64}) || len(o.Workloads) != 5 || o.Rounds != 10 || o.Seed != 1 {
		t.Errorf("waiters %v, workloads %v, rounds %d, seed %d", o.Waiters, o.Workloads, o.Rounds, o.Seed)
	}
	if o.Waits != 0 || o.WaitsPerSlice(1) != 0 || o.BaselineAdded || o.List || o.JSON != "" || o.GoBench != "" {
		t.Errorf("%+v", o)
	}
}

func TestEveryFormOfWorkloadRunsByDefault(t *testing.T) {
	o, err := Parse(nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for _, w := range o.Workloads {
		form, _, _ := strings.Cut(w.String(), ":")
		seen[form] = true
	}
	for _, form := range []string{"const", "jitter", "bimodal", "drift"} {
		if !seen[form] {
			t.Errorf("no workload of form %s among %v", form, o.Workloads)
		}
	}
}

func TestQuickIsLess(t *testing.T) {
	quick, err := Parse([]string{"-quick"})
	if err != nil {
		t.Fatal(err)
	}
	full, err := Parse(nil)
	if err != nil {
		t.Fatal(err)
	}
	if quick.Total >= full.Total || len(quick.Workloads) >= len(full.Workloads) || len(quick.Waiters) >= len(full.Waiters) {
		t.Errorf("quick is %v, %v, %v; full is %v, %v, %v", quick.Total, quick.Workloads, quick.Waiters,
			full.Total, full.Workloads, full.Waiters)
	}
	if quick.Rounds < 10 || armNames(quick) != armNames(full) {
		t.Errorf("quick has %d rounds of %s", quick.Rounds, armNames(quick))
	}
}

func TestWhatIsGivenReplacesTheDefaults(t *testing.T) {
	o, err := Parse([]string{
		"-device", "soft", "-host=std", "-plan", "poll", "-plan", "block;rows>=2:poll",
		"-workload", "const:1ms", "-workload", "drift:1ms:2ms:5", "-waiters", "2,3", "-waiters", "5",
		"-waits", "100", "-rounds", "3", "-seed", "0", "-peers", "gosched,spin",
		"-json", "a", "-gobench", "b", "-quick",
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := armNames(o); got != "poll, block;rows>=2:poll, gosched, spin" {
		t.Errorf("arms %s", got)
	}
	if o.Host.Name != "std" || len(o.Workloads) != 2 || o.Workloads[1].String() != "drift:1ms:2ms:5" {
		t.Errorf("host %s, workloads %v", o.Host.Name, o.Workloads)
	}
	if !slices.Equal(o.Waiters, []int{2, 3, 5}) || o.Waits != 100 || o.Rounds != 3 || o.Seed != 0 || o.JSON != "a" || o.GoBench != "b" {
		t.Errorf("%+v", o)
	}
}

func TestBaselineAlwaysRuns(t *testing.T) {
	tests := []struct {
		peers, want string
		added       bool
	}{
		{"all", peerNames, false},
		{"none", "spin", true},
		{"spin", "spin", false},
		{"gosched", "spin, gosched", true},
		{"thread-block,spin", "thread-block, spin", false},
	}
	for _, test := range tests {
		o, err := Parse([]string{"-peers", test.peers, "-plan", "poll"})
		if err != nil {
			t.Fatal(err)
		}
		if got := armNames(o); got != "poll, "+test.want || o.BaselineAdded != test.added {
			t.Errorf("-peers %s runs %s, added %v", test.peers, got, o.BaselineAdded)
		}
	}
}

func TestWaitsAreSharedByRoundsAndWaiters(t *testing.T) {
	tests := []struct{ waits, rounds, waiters, want int }{
		{1, 10, 64, 1}, {640, 10, 64, 1}, {641, 10, 64, 2}, {1000, 10, 1, 100}, {0, 10, 8, 0},
	}
	for _, test := range tests {
		o := Options{Waits: test.waits, Rounds: test.rounds}
		if got := o.WaitsPerSlice(test.waiters); got != test.want {
			t.Errorf("%d waits in %d rounds of %d waiters: %d a slice, want %d", test.waits, test.rounds, test.waiters, got, test.want)
		}
	}
}

// refusals are command lines with what the error must say.
var refusals = []struct {
	args []string
	says []string
}{
	{[]string{"-device", "cuda"}, []string{`device is "cuda"`, "soft"}},
	{[]string{"-device", ""}, []string{`device is ""`, "soft"}},
	{[]string{"-host", "kqueue"}, []string{`host is "kqueue"`, "auto, epoll, std"}},
	{[]string{"-plan", "spin"}, []string{`spin`}},
	{[]string{"-plan", ""}, []string{"wait plan"}},
	{[]string{"-plan", "poll", "-plan", "poll"}, []string{`plan is "poll"`, "once"}},
	{[]string{"-workload", "steady:1ms"}, []string{`"steady:1ms"`, "const:D", "jitter:D:P%", "bimodal:A:B:P%", "drift:A:B:N"}},
	{[]string{"-workload", "const:-1ms"}, []string{`"-1ms"`, "1us to 10s"}},
	{[]string{"-workload", "const:1ms", "-workload", "const:1000us"}, []string{`"const:1000us"`, "once"}},
	{[]string{"-waiters", "0"}, []string{`number of waiters is "0"`, "1 to 1024"}},
	{[]string{"-waiters", "-8"}, []string{`"-8"`, "1 to 1024"}},
	{[]string{"-waiters", "1025"}, []string{`"1025"`, "1 to 1024"}},
	{[]string{"-waiters", "1,,8"}, []string{`""`, "1 to 1024"}},
	{[]string{"-waiters", "1,8,1"}, []string{`"1"`, "once"}},
	{[]string{"-waiters", "many"}, []string{`"many"`, "1 to 1024"}},
	{[]string{"-waits", "0"}, []string{`"0"`, "-waits", "1 to 10000000"}},
	{[]string{"-waits", "-1"}, []string{`"-1"`, "1 to 10000000"}},
	{[]string{"-waits", "10000001"}, []string{`"10000001"`, "1 to 10000000"}},
	{[]string{"-rounds", "0"}, []string{`"0"`, "-rounds", "1 to 1000"}},
	{[]string{"-rounds", "1001"}, []string{`"1001"`, "1 to 1000"}},
	{[]string{"-seed", "-1"}, []string{`"-1"`, "-seed", "from 0"}},
	{[]string{"-peers", "spin,nap"}, []string{`peer is "nap"`, "all, none", "goroutine-chan"}},
	{[]string{"-peers", ""}, []string{`peer is ""`}},
	{[]string{"-peers", "gosched,gosched"}, []string{`"gosched"`, "once"}},
	{[]string{"-unknown"}, []string{"-unknown"}},
	{[]string{"-waits"}, []string{"-waits"}},
	{[]string{"const:1ms"}, []string{`argument is "const:1ms"`, "flags only"}},
}

func TestBadInputIsRefusedByName(t *testing.T) {
	for _, test := range refusals {
		o, err := Parse(test.args)
		if err == nil || errors.Is(err, ErrHelp) {
			t.Errorf("%q: %v, want an error", test.args, err)
			continue
		}
		if len(o.Arms) != 0 || o.JSON != "" {
			t.Errorf("%q: options beside the error", test.args)
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: an error of several lines: %v", test.args, err)
		}
		for _, says := range test.says {
			if !strings.Contains(err.Error(), says) {
				t.Errorf("%q: %v, want it to say %q", test.args, err, says)
			}
		}
	}
}

func TestMissingDeviceOrHostIsRefusedWithTheReason(t *testing.T) {
	o, err := Parse(nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Host.Missing = func() string { return "no descriptors left" }
	if err := available(o); !errors.Is(err, port.ErrInvalidConfig) || !strings.Contains(err.Error(), "no descriptors left") {
		t.Errorf("%v, want the reason", err)
	}
}

func TestHelpShowsEveryFlag(t *testing.T) {
	for _, flag := range []string{"-h", "-help"} {
		if _, err := Parse([]string{flag}); !errors.Is(err, ErrHelp) {
			t.Errorf("%s: %v, want ErrHelp", flag, err)
		}
	}
	for _, flag := range []string{"device", "host", "plan", "workload", "waiters", "waits", "peers", "quick",
		"json", "list", "rounds", "seed", "gobench"} {
		if !strings.Contains(Usage(), "  -"+flag) {
			t.Errorf("the usage lacks -%s", flag)
		}
	}
}

func TestKindsOfArmsAreSet(t *testing.T) {
	o, err := Parse(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range o.Arms {
		if want := map[bool]arm.Kind{true: arm.Plan, false: arm.Peer}[i < 5]; a.Kind != want {
			t.Errorf("%s is a %s, want %s", a.Name, a.Kind, want)
		}
	}
}
