// Package report turns measurements into what is read: a table for people, JSON,
// lines in the Go benchmark format for benchstat, and the choice of a plan.
package report

import (
	"gpureactor/bench/internal/arm"
	"gpureactor/bench/internal/measure"
)

// Baseline is the name of the arm that ratios refer to.
const Baseline = "spin"

// A Row is what one arm did in one cell. Its JSON names are part of schema 1.
type Row struct {
	Arm      string   `json:"arm"`
	Kind     arm.Kind `json:"kind"`
	Device   string   `json:"device"`
	Host     string   `json:"host"`
	Workload string   `json:"workload"`
	Waiters  int      `json:"waiters"`
	// Waits counts those that succeeded, Errors those that failed.
	Waits   int64   `json:"waits"`
	Errors  int64   `json:"errors"`
	Latency Latency `json:"latency_ns"`
	// CPU is in nanoseconds. Both are means over the waits.
	CPU    float64 `json:"cpu_ns_per_wait"`
	Allocs float64 `json:"allocs_per_wait"`
	// The ratios are to the baseline's row of the same cell: of the p50 latency,
	// and of the CPU time. 0: there is nothing to compare.
	LatencyRatio float64 `json:"latency_ratio_to_spin"`
	CPURatio     float64 `json:"cpu_ratio_to_spin"`
}

// Latency is from the device's store to the waiter running, in nanoseconds.
type Latency struct {
	P50 int64 `json:"p50"`
	P90 int64 `json:"p90"`
	P99 int64 `json:"p99"`
	Max int64 `json:"max"`
}

// A Cell says where rows were measured.
type Cell struct {
	Device, Host, Workload string
	Waiters                int
}

// Rows returns the rows of a cell, in the order of its results.
func (c Cell) Rows(results []measure.Result) []Row {
	rows := make([]Row, len(results))
	for i := range results {
		rows[i] = c.row(&results[i])
	}
	addRatios(rows)
	return rows
}

func (c Cell) row(r *measure.Result) Row {
	return Row{
		Arm: r.Arm.Name, Kind: r.Arm.Kind,
		Device: c.Device, Host: c.Host, Workload: c.Workload, Waiters: c.Waiters,
		Waits: r.Waits(), Errors: r.Errors,
		Latency: Latency{
			P50: r.Latency.ValueAtQuantile(50),
			P90: r.Latency.ValueAtQuantile(90),
			P99: r.Latency.ValueAtQuantile(99),
			Max: r.Latency.Max(),
		},
		CPU:    ratio(float64(r.CPU), float64(r.Waits())),
		Allocs: ratio(float64(r.Allocs), float64(r.Waits())),
	}
}

// addRatios fills in the ratios of one cell's rows.
func addRatios(rows []Row) {
	for _, base := range rows {
		if base.Arm != Baseline {
			continue
		}
		for i := range rows {
			rows[i].LatencyRatio = ratio(float64(rows[i].Latency.P50), float64(base.Latency.P50))
			rows[i].CPURatio = ratio(rows[i].CPU, base.CPU)
		}
	}
}

// ratio returns a/b, 0 where b is.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
