package report

import (
	"fmt"
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// WriteTable writes the rows for people, with a line between cells.
func WriteTable(w io.Writer, rows []Row) error {
	t := table.NewWriter()
	t.SetStyle(style())
	t.AppendHeader(table.Row{"arm", "kind", "workload", "waiters", "waits", "errors",
		"p50", "p90", "p99", "max", "cpu/wait", "allocs/wait", "latency:" + Baseline, "cpu:" + Baseline})
	t.SetColumnConfigs(columns())
	for i, r := range rows {
		if i > 0 && r.cell() != rows[i-1].cell() {
			t.AppendSeparator()
		}
		t.AppendRow(r.texts())
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

func style() table.Style {
	s := table.StyleLight
	s.Format.Header = text.FormatDefault
	s.Options.SeparateColumns = false
	return s
}

// firstNumber is the first column that is a number, counted from 1.
const (
	firstNumber = 4
	lastNumber  = 14
	widestArm   = 40
)

func columns() []table.ColumnConfig {
	all := []table.ColumnConfig{{Number: 1, WidthMax: widestArm}}
	for i := firstNumber; i <= lastNumber; i++ {
		all = append(all, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	return all
}

func (r Row) texts() table.Row {
	return table.Row{
		r.Arm, r.Kind, r.Workload, r.Waiters, r.Waits, r.Errors,
		short(float64(r.Latency.P50)), short(float64(r.Latency.P90)),
		short(float64(r.Latency.P99)), short(float64(r.Latency.Max)),
		short(r.CPU), fmt.Sprintf("%.2f", r.Allocs), times(r.LatencyRatio), times(r.CPURatio),
	}
}

// short writes nanoseconds with three digits and a unit.
func short(ns float64) string {
	unit, name := 1.0, "ns"
	switch {
	case ns >= float64(time.Second):
		unit, name = float64(time.Second), "s"
	case ns >= float64(time.Millisecond):
		unit, name = float64(time.Millisecond), "ms"
	case ns >= float64(time.Microsecond):
		unit, name = float64(time.Microsecond), "us"
	}
	return digits(ns/unit) + " " + name
}

// times writes a ratio with three digits, "-" when there is none.
func times(ratio float64) string {
	if ratio == 0 {
		return "-"
	}
	return digits(ratio) + "x"
}

// digits writes v with three digits, or all that stand before the point.
func digits(v float64) string {
	switch {
	case v < 10:
		return fmt.Sprintf("%.2f", v)
	case v < 100:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}
