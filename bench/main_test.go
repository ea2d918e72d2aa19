package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gpureactor/bench/internal/arm"
	"gpureactor/bench/internal/measure"
	"gpureactor/bench/internal/options"
	"gpureactor/bench/internal/remote"
	"gpureactor/bench/internal/report"
	"gpureactor/bench/internal/rig"
	"gpureactor/internal/testmain"
	"gpureactor/internal/testmain/pages"
	"gpureactor/port"
	"gpureactor/port/porttest"
)

// benchArgument makes the test binary the program.
const benchArgument = "be-bench"

func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == remote.ChildArgument:
		os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
	case len(os.Args) > 1 && os.Args[1] == benchArgument:
		os.Exit(run(os.Args[2:], os.Stdout, os.Stderr))
	}
	quickExits()
	testmain.Main(m, pages.Check())
}

// quickExits keeps children that were built with the race detector from pausing
// for a second before they exit.
func quickExits() {
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0"); err != nil {
		panic(err)
	}
}

// bench runs the program and returns what it wrote and its exit status.
func bench(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	c := command(t, args...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), c.ProcessState.ExitCode()
}

func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exec.Command(exe, append([]string{benchArgument}, args...)...)
}

// tiny is a run of every arm that takes no time to speak of.
func tiny(more ...string) []string {
	return append([]string{
		"-workload", "const:100us", "-workload", "bimodal:50us:100us:50%", "-waiters", "1,3",
		"-waits", "12", "-rounds", "2",
	}, more...)
}

func TestEveryArmRunsOnADeviceOfItsOwn(t *testing.T) {
	dir := t.TempDir()
	rows, lines := filepath.Join(dir, "rows.json"), filepath.Join(dir, "rows.txt")
	stdout, stderr, status := bench(t, tiny("-json", rows, "-gobench", lines, "-plan", "poll",
		"-plan", "block;rows>=2:poll", "-plan", arm.Plans()[3].Text)...)
	if status != exitDone || stderr != "" {
		t.Fatalf("exit %d, and says %q", status, stderr)
	}
	doc := readJSON(t, rows)
	if want := (3 + 5) * 2 * 2; len(doc.Rows) != want || doc.Schema != report.Schema {
		t.Errorf("%d rows of schema %d, want %d of schema 1", len(doc.Rows), doc.Schema, want)
	}
	for _, r := range doc.Rows {
		if r.Errors != 0 || r.Waits < 12 || r.LatencyRatio <= 0 || r.Device != "soft" || r.Host == "" {
			t.Errorf("%+v", r)
		}
		if !strings.Contains(stdout, r.Arm) || !strings.Contains(stdout, r.Workload) {
			t.Errorf("the table lacks %s or %s", r.Arm, r.Workload)
		}
	}
	last := stdout[strings.LastIndex(strings.TrimSpace(stdout), "\n")+1:]
	if !strings.HasPrefix(last, "pick for soft: ") {
		t.Errorf("the last line is %q, want the pick", last)
	}
	text, err := os.ReadFile(lines)
	if err != nil || strings.Count(string(text), "\nBenchmarkAwait/") != len(doc.Rows) {
		t.Errorf("%v, and the benchmark lines are\n%s", err, text)
	}
}

func readJSON(t *testing.T, path string) report.Document {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var doc report.Document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return doc
}

func TestDefaultPlansAllRun(t *testing.T) {
	stdout, stderr, status := bench(t, "-workload", "const:100us", "-waiters", "2", "-waits", "4", "-rounds", "1", "-peers", "none")
	if status != exitDone || stderr != "" {
		t.Fatalf("exit %d, and says %q", status, stderr)
	}
	for _, a := range arm.Plans() {
		if !strings.Contains(stdout, a.Name+" ") {
			t.Errorf("the table lacks %s:\n%s", a.Name, stdout)
		}
	}
	if !strings.Contains(stdout, "note: spin runs though") {
		t.Errorf("nothing says why spin runs:\n%s", stdout)
	}
}

// A refused command line starts nothing and writes nothing.
func TestBadInputExitsWith2(t *testing.T) {
	there := filepath.Join(t.TempDir(), "there.json")
	if err := os.WriteFile(there, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		args []string
		says string
	}{
		{[]string{"-device", "cuda"}, `device is "cuda": want one of soft`},
		{[]string{"-host", "kqueue"}, `host is "kqueue": want one of auto, epoll, std`},
		{[]string{"-workload", "steady"}, `workload is "steady": want const:D`},
		{[]string{"-plan", "flag:park_us=0,backstop_us=1000"}, `flag:park_us=0,backstop_us=1000`},
		{[]string{"-waits", "0"}, `invalid value "0" for flag -waits: want a number from 1 to`},
		{[]string{"-waiters", "-1"}, `number of waiters is "-1": want 1 to 1024`},
		{[]string{"-peers", "x"}, `peer is "x": want all, none or some of`},
		{[]string{"-nosuch"}, `-nosuch`},
		{[]string{"-json", "/no/such/dir/f.json"}, `-json is /no/such/dir/f.json: want a file that can be written`},
		{[]string{"-gobench", t.TempDir()}, `-gobench is `},
	}
	for _, test := range tests {
		stdout, stderr, status := bench(t, append([]string{"-json", there}, test.args...)...)
		if status != exitRefused || stdout != "" {
			t.Errorf("%q: exit %d, and prints %q; want exit 2 and nothing", test.args, status, stdout)
		}
		if !strings.HasPrefix(stderr, "bench: ") || !strings.Contains(stderr, test.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%q says %q, want one line with %q", test.args, stderr, test.says)
		}
	}
	if text, err := os.ReadFile(there); err != nil || string(text) != "kept" {
		t.Errorf("the file holds %q, %v after refusals", text, err)
	}
}

func TestHelpAndListExitWith0(t *testing.T) {
	for _, flag := range []string{"-h", "-list"} {
		stdout, stderr, status := bench(t, flag)
		if status != exitDone || stderr != "" {
			t.Errorf("%s: exit %d, and says %q", flag, status, stderr)
		}
		for _, want := range []string{"soft", "bimodal:A:B:P%", "epoll", "goroutine-chan", "flag:park_us=100"} {
			if flag == "-list" && !strings.Contains(stdout, want) {
				t.Errorf("the list lacks %q:\n%s", want, stdout)
			}
		}
	}
}

// readied returns a session of a tiny run, ready to run in this process.
func readied(t *testing.T, args ...string) *session {
	t.Helper()
	o, err := options.Parse(args)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSession(o, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestInterruptKeepsWhatWasFinished(t *testing.T) {
	s := readied(t, "-workload", "const:50us", "-workload", "const:60us", "-waiters", "1", "-waits", "4", "-rounds", "2")
	ctx, cancel := context.WithCancel(t.Context())
	slices, cell := 0, len(s.options.Arms)*(s.options.Rounds+1)
	s.progress = func() {
		if slices++; slices == cell+2 {
			cancel()
		}
	}
	if err := s.run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the run ended with %v, want the end of its context", err)
	}
	if len(s.rows) != len(s.options.Arms) || s.rows[0].Workload != "const:50us" {
		t.Errorf("%d rows, want those of the first cell", len(s.rows))
	}
	var out bytes.Buffer
	if err := s.report(&out, &outputs{}); err != nil || !strings.Contains(out.String(), "const:50us") {
		t.Errorf("%v, and the report is\n%s", err, out.String())
	}
}

// killer is a device whose child dies when work has been queued.
type killer struct{ rig.Device }

// killerStream kills the child once a wait for a mark of it is due.
type killerStream struct {
	measure.Stream
	child *os.Process
}

func (k killer) Streams() []measure.Stream {
	all := k.Device.Streams()
	for i, s := range all {
		all[i] = killerStream{s, k.Device.(interface{ Process() *os.Process }).Process()}
	}
	return all
}

func (s killerStream) Mark() (port.Ticket, error) {
	t, err := s.Stream.Mark()
	return t, errors.Join(err, s.child.Kill())
}

func TestDeathOfTheDeviceEndsTheRunOfEveryArm(t *testing.T) {
	all := readied(t).options.Arms
	for _, a := range all {
		t.Run(a.Name, func(t *testing.T) {
			s := readied(t, "-workload", "const:10s", "-waiters", "1", "-waits", "1", "-rounds", "1")
			s.options.Arms = []arm.Arm{a}
			open := s.options.Device.Open
			s.options.Device.Open = func(cfg rig.Config) (rig.Device, error) {
				d, err := open(cfg)
				if err == nil && d.Note() != "" {
					porttest.Require(t, "child", port.NewError(port.NotSupported, "a device process", d.Note()))
				}
				return killer{d}, err
			}
			if err := s.run(t.Context()); !errors.Is(err, port.ErrDeviceLost) || !strings.Contains(err.Error(), "killed") {
				t.Errorf("the run ended with %v, want DeviceLost and how", err)
			}
		})
	}
}

func TestBusyMachineIsNoted(t *testing.T) {
	tests := []struct {
		share float64
		ok    bool
		noted bool
	}{{0.11, true, true}, {0.1, true, false}, {0, true, false}, {0.9, false, false}}
	for _, test := range tests {
		if got := disturbed(test.share, test.ok); (got != "") != test.noted {
			t.Errorf("a share of %v, known %v, is noted as %q", test.share, test.ok, got)
		}
	}
}

func TestFailedWaitsFailTheRun(t *testing.T) {
	broken := errors.New("broken")
	s := readied(t, "-workload", "const:50us", "-waiters", "1", "-waits", "2", "-rounds", "1", "-peers", "none", "-plan", "poll")
	s.options.Arms = append(s.options.Arms, arm.Arm{Name: "bad", Kind: arm.Plan, Open: func(arm.Setup) (arm.Session, error) {
		return brokenSession{broken}, nil
	}})
	err := s.run(t.Context())
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "bad, const:50us x 1") {
		t.Errorf("the run ended with %v, want the wait's error and where", err)
	}
	if last := s.rows[len(s.rows)-1]; last.Errors == 0 {
		t.Errorf("the row says no errors: %+v", last)
	}
}

type brokenSession struct{ err error }

func (b brokenSession) Wait(context.Context, int, port.Ticket) error { return b.err }
func (b brokenSession) Close() error                                 { return nil }
