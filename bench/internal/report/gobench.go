package report

import (
	"fmt"
	"io"
	"strings"
)

// WriteGoBench writes the rows in the Go benchmark format, which benchstat reads:
// ns/op is the p50 latency.
func WriteGoBench(w io.Writer, m Machine, rows []Row) error {
	var b strings.Builder
	fmt.Fprintf(&b, "goos: %s\ngoarch: %s\npkg: gpureactor/bench\n", m.GOOS, m.GOARCH)
	for _, line := range []struct{ key, value string }{
		{"cpu", m.CPU}, {"kernel", m.Kernel}, {"go", m.Go}, {"commit", m.Commit},
	} {
		if line.value != "" {
			fmt.Fprintf(&b, "%s: %s\n", line.key, line.value)
		}
	}
	for _, r := range rows {
		b.WriteString(r.goBench(m.Cores))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// goBench returns the row's line. A benchmark of no iterations is not one.
func (r Row) goBench(procs int) string {
	if r.Waits == 0 {
		return ""
	}
	return fmt.Sprintf("BenchmarkAwait/device=%s/host=%s/arm=%s/workload=%s/waiters=%d-%d\t%d\t%d ns/op\t%d p90-ns\t%d p99-ns\t%d max-ns\t%.0f cpu-ns/op\t%.3f allocs/op\t%d errors\n",
		r.Device, r.Host, r.Arm, r.Workload, r.Waiters, procs, r.Waits,
		r.Latency.P50, r.Latency.P90, r.Latency.P99, r.Latency.Max, r.CPU, r.Allocs, r.Errors)
}
