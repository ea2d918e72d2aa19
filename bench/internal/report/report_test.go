package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	hdrhistogram "github.com/HdrHistogram/hdrhistogram-go"

	"gpureactor/bench/internal/arm"
	"gpureactor/bench/internal/measure"
)

func result(t *testing.T, name string, kind arm.Kind, cpu time.Duration, latencies ...int64) measure.Result {
	t.Helper()
	h := hdrhistogram.New(1, int64(time.Minute), 3)
	for _, l := range latencies {
		if err := h.RecordValue(l); err != nil {
			t.Fatal(err)
		}
	}
	return measure.Result{
		Arm: arm.Arm{Name: name, Kind: kind}, Latency: h, CPU: cpu, Allocs: uint64(len(latencies)) / 2,
	}
}

var here = Cell{Device: "soft", Host: "std", Workload: "const:1ms", Waiters: 8}

func TestRowsHoldPercentilesAndMeans(t *testing.T) {
	var latencies []int64
	for i := range int64(1000) {
		latencies = append(latencies, i+1)
	}
	rows := here.Rows([]measure.Result{result(t, "poll", arm.Plan, 5*time.Millisecond, latencies...)})
	want := Row{
		Arm: "poll", Kind: arm.Plan, Device: "soft", Host: "std", Workload: "const:1ms", Waiters: 8,
		Waits: 1000, Latency: Latency{500, 900, 990, 1000}, CPU: 5000, Allocs: 0.5,
	}
	if !slices.Equal(rows, []Row{want}) {
		t.Errorf("got  %+v\nwant %+v", rows, want)
	}
}

func TestRatiosAreToTheBaselineOfTheCell(t *testing.T) {
	rows := here.Rows([]measure.Result{
		result(t, "poll", arm.Plan, 30, 200, 200),
		result(t, Baseline, arm.Peer, 120, 100, 100),
	})
	if rows[0].LatencyRatio != 2 || rows[0].CPURatio != 0.25 {
		t.Errorf("ratios %v and %v, want 2 and 0.25", rows[0].LatencyRatio, rows[0].CPURatio)
	}
	if rows[1].LatencyRatio != 1 || rows[1].CPURatio != 1 {
		t.Errorf("the baseline's ratios are %v and %v, want 1", rows[1].LatencyRatio, rows[1].CPURatio)
	}
}

func TestNothingMeasuredGivesNoRatio(t *testing.T) {
	tests := []struct {
		name    string
		results []measure.Result
	}{
		{"no baseline", []measure.Result{result(t, "poll", arm.Plan, 30, 200)}},
		{"baseline of no waits", []measure.Result{result(t, "poll", arm.Plan, 30, 200), result(t, Baseline, arm.Peer, 0)}},
		{"no waits", []measure.Result{result(t, "poll", arm.Plan, 30), result(t, Baseline, arm.Peer, 10, 10)}},
	}
	for _, test := range tests {
		row := here.Rows(test.results)[0]
		if row.LatencyRatio != 0 || row.CPURatio != 0 {
			t.Errorf("%s: ratios %v and %v, want 0", test.name, row.LatencyRatio, row.CPURatio)
		}
		if text := row.texts(); text[12] != "-" || text[13] != "-" {
			t.Errorf("%s: the table says %v", test.name, text)
		}
	}
}

func TestSchemaOne(t *testing.T) {
	var b bytes.Buffer
	rows := here.Rows([]measure.Result{result(t, Baseline, arm.Peer, 10, 10)})
	if err := WriteJSON(&b, Machine{CPU: "x", Cores: 2}, rows); err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	keys(t, "document", doc, "schema", "machine", "rows")
	keys(t, "machine", doc["machine"], "cpu", "cores", "kernel", "goos", "goarch", "go", "commit")
	row := doc["rows"].([]any)[0].(map[string]any)
	keys(t, "row", row, "arm", "kind", "device", "host", "workload", "waiters", "waits", "errors",
		"latency_ns", "cpu_ns_per_wait", "allocs_per_wait", "latency_ratio_to_spin", "cpu_ratio_to_spin")
	keys(t, "latency_ns", row["latency_ns"], "p50", "p90", "p99", "max")
	if doc["schema"] != 1.0 || row["kind"] != "peer" {
		t.Errorf("schema %v, kind %v", doc["schema"], row["kind"])
	}
}

func keys(t *testing.T, what string, object any, want ...string) {
	t.Helper()
	got := slices.Sorted(maps.Keys(object.(map[string]any)))
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s has keys %v, want %v", what, got, want)
	}
}

func TestNoRowsAreAnEmptyList(t *testing.T) {
	var b bytes.Buffer
	if err := WriteJSON(&b, Machine{}, nil); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `"rows": []`) {
		t.Errorf("no rows are %s", b.String())
	}
}

func TestThisMachineIsDescribed(t *testing.T) {
	m := ThisMachine()
	if m.Cores < 1 || m.GOOS == "" || m.GOARCH == "" || !strings.HasPrefix(m.Go, "go") && !strings.HasPrefix(m.Go, "devel") {
		t.Errorf("%+v", m)
	}
}

// benchLine is what benchstat takes for a result: a name without blanks, the
// iterations, and pairs of value and unit.
var benchLine = regexp.MustCompile(`^Benchmark[A-Z]\S*-\d+\t\d+(\t[0-9.]+ \S+)+$`)

func TestGoBenchLines(t *testing.T) {
	rows := here.Rows([]measure.Result{
		result(t, "block;rows>=32:poll", arm.Plan, 25, 10, 20),
		result(t, Baseline, arm.Peer, 10, 10),
		result(t, "idle", arm.Peer, 0),
	})
	var b bytes.Buffer
	if err := WriteGoBench(&b, Machine{CPU: "a cpu", Cores: 2, GOOS: "linux", GOARCH: "amd64"}, rows); err != nil {
		t.Fatal(err)
	}
	var results []string
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line, "Benchmark") {
			results = append(results, line)
			if !benchLine.MatchString(line) {
				t.Errorf("not in the format: %q", line)
			}
		} else if key, value, ok := strings.Cut(line, ": "); !ok || key != strings.ToLower(key) || value == "" {
			t.Errorf("not a line of configuration: %q", line)
		}
	}
	if len(results) != 2 {
		t.Fatalf("%d results, want 2: an arm without waits has none", len(results))
	}
	want := "BenchmarkAwait/device=soft/host=std/arm=block;rows>=32:poll/workload=const:1ms/waiters=8-2\t2\t10 ns/op\t20 p90-ns\t20 p99-ns\t20 max-ns\t12 cpu-ns/op\t0.500 allocs/op\t0 errors"
	if results[0] != want {
		t.Errorf("got  %q\nwant %q", results[0], want)
	}
}

func TestTableShowsEveryRow(t *testing.T) {
	rows := here.Rows([]measure.Result{
		result(t, "poll", arm.Plan, 30_000, 1500, 1500),
		result(t, Baseline, arm.Peer, 2_000_000, 999, 999),
	})
	other := here
	other.Waiters = 64
	rows = append(rows, other.Rows([]measure.Result{result(t, "sleep", arm.Peer, 1, 3_140_000, 2_000_000_000)})...)
	var b bytes.Buffer
	if err := WriteTable(&b, rows); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"poll", "spin", "sleep", "latency:spin", "1.50 us", "999 ns", "1.00 ms", "2.00 s", "1.50x", "64"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, b.String())
		}
	}
}

// A brokenWriter fails.
type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteErrorsAreReturned(t *testing.T) {
	rows := here.Rows([]measure.Result{result(t, Baseline, arm.Peer, 10, 10)})
	for name, err := range map[string]error{
		"table":   WriteTable(brokenWriter{}, rows),
		"json":    WriteJSON(brokenWriter{}, Machine{}, rows),
		"gobench": WriteGoBench(brokenWriter{}, Machine{}, rows),
	} {
		if !errors.Is(err, errBroken) {
			t.Errorf("%s: %v, want the writer's error", name, err)
		}
	}
}

// planRow is a plan's row in a cell of n waiters.
func planRow(plan string, waiters int, p50, p99 int64, cpu float64) Row {
	return Row{
		Arm: plan, Kind: arm.Plan, Device: "soft", Waiters: waiters, Waits: 10,
		Latency: Latency{P50: p50, P99: p99}, CPURatio: cpu,
	}
}

func TestPick(t *testing.T) {
	failed := planRow("cheap", 1, 1, 1, 0.01)
	failed.Errors = 1
	idle := planRow("cheap", 1, 0, 0, 0.01)
	idle.Waits = 0
	spin := planRow("spin", 1, 1, 1, 0.001)
	spin.Kind = arm.Peer
	tests := []struct {
		name string
		rows []Row
		want string
	}{
		{"nothing", nil, ""},
		{"peers alone", []Row{spin}, ""},
		{"one plan", []Row{planRow("a", 1, 999, 999, 9), spin}, "a"},
		{"the least CPU", []Row{planRow("a", 1, 10, 10, 0.5), planRow("b", 1, 20, 10, 0.2), spin}, "b"},
		{"p50 under the limit", []Row{planRow("a", 1, 100, 10, 0.5), planRow("b", 1, 299, 10, 0.2)}, "b"},
		{"p50 over it", []Row{planRow("a", 1, 100, 10, 0.5), planRow("b", 1, 301, 10, 0.2)}, "a"},
		{"p99 under the limit", []Row{planRow("a", 1, 1, 100, 0.5), planRow("b", 1, 1, 999, 0.2)}, "b"},
		{"p99 over it", []Row{planRow("a", 1, 1, 100, 0.5), planRow("b", 1, 1, 1001, 0.2)}, "a"},
		{"none within", []Row{planRow("a", 1, 1, 1000, 0.9), planRow("b", 1, 10, 1, 0.1)}, "a"},
		{"equal CPU", []Row{planRow("a", 1, 20, 10, 0.2), planRow("b", 1, 10, 10, 0.2)}, "b"},
		{"all equal", []Row{planRow("b", 1, 10, 10, 0.2), planRow("a", 1, 10, 10, 0.2)}, "a"},
		{"errors", []Row{failed, planRow("b", 1, 100, 100, 0.9)}, "b"},
		{"no waits", []Row{idle, planRow("b", 1, 100, 100, 0.9)}, "b"},
		{"errors of all", []Row{failed}, ""},
		{"a cell missing", []Row{planRow("a", 1, 1, 1, 0.1), planRow("b", 1, 1, 1, 0.9), planRow("b", 8, 1, 1, 0.9)}, "b"},
		// 1x and 8x are less than 3x on the geometric mean, more on the arithmetic.
		{"geometric means", []Row{
			planRow("a", 1, 1, 1, 0.5), planRow("a", 8, 1000, 1, 0.5),
			planRow("b", 1, 1, 1, 0.2), planRow("b", 8, 8000, 1, 0.2),
		}, "b"},
		{"multiples within each cell", []Row{
			planRow("a", 1, 1, 1, 0.5), planRow("a", 8, 1000, 1, 0.5),
			planRow("b", 1, 10, 1, 0.2), planRow("b", 8, 1000, 1, 0.2),
		}, "a"},
	}
	for _, test := range tests {
		got := Pick(test.rows)
		if got.Plan != test.want || got.Why == "" {
			t.Errorf("%s: picked %q (%s), want %q", test.name, got.Plan, got.Why, test.want)
		}
	}
}

func TestPickDoesNotDependOnTheOrderOfRows(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var rows []Row
		for _, plan := range []string{"a", "b", "c", "d"} {
			for _, waiters := range []int{1, 8, 64} {
				rows = append(rows, planRow(plan, waiters, 1+random.Int64N(50), 1+random.Int64N(100), random.Float64()))
			}
		}
		want := Pick(rows)
		for range 5 {
			random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			if got := Pick(rows); got != want {
				t.Fatalf("picked %+v, and %+v in another order", want, got)
			}
		}
	}
}
