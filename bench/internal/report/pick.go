package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gpureactor/bench/internal/arm"
)

// The limits of the rule of [Pick], in multiples of the least of any plan.
const (
	MaxP50 = 3
	MaxP99 = 10
)

// A Choice is the plan to use, and why. A Choice without a Plan says that none
// will do.
type Choice struct{ Plan, Why string }

// Pick chooses a plan from the rows of any number of cells. The rule:
//
//   - in each cell a plan's p50 and p99 count as multiples of the least of any
//     plan there, and its CPU time as a multiple of the baseline's; over all cells
//     it counts by the geometric means of those, so no cell weighs more for being
//     slow;
//   - out are plans that had an error, or no row in a cell where others had one;
//   - of those within MaxP50 and MaxP99 the one with the least CPU time wins;
//   - if there is none, the one with the least p50 does.
//
// The multiples are not of the baseline's latency because that is no bar once
// there are more waiters that spin than cores. Equal plans go by p50, then by
// name, so equal rows give equal choices.
func Pick(rows []Row) Choice {
	all := standings(rows)
	if len(all) == 0 {
		return Choice{Why: "no plan finished every cell without an error"}
	}
	within := slices.DeleteFunc(slices.Clone(all), func(s standing) bool {
		return s.p50 > MaxP50 || s.p99 > MaxP99
	})
	if len(within) == 0 {
		return slices.MinFunc(all, byLatency).choice(fmt.Sprintf(
			"the least p50, as no plan keeps its p50 within %dx and its p99 within %dx of the best plan", MaxP50, MaxP99))
	}
	return slices.MinFunc(within, byCPU).choice(fmt.Sprintf(
		"the least CPU of the %d of %d plans that keep their p50 within %dx and their p99 within %dx of the best plan",
		len(within), len(all), MaxP50, MaxP99))
}

// A standing is what a plan counts by.
type standing struct {
	plan string
	// p50 and p99 are multiples of the best plan's, cpu of the baseline's.
	p50, p99, cpu float64
}

func (s standing) choice(rule string) Choice {
	return Choice{s.plan, fmt.Sprintf("%s (its p50 %s, its p99 %s, its CPU %s of %s)",
		rule, times(s.p50), times(s.p99), times(s.cpu), Baseline)}
}

func byCPU(a, b standing) int {
	return cmp.Or(cmp.Compare(a.cpu, b.cpu), byLatency(a, b))
}

func byLatency(a, b standing) int {
	return cmp.Or(cmp.Compare(a.p50, b.p50), cmp.Compare(a.plan, b.plan))
}

// A place is the plans' rows of one cell.
type place struct {
	rows []Row
	// p50 and p99 are the least of any plan.
	p50, p99 int64
}

// standings returns those of the plans that are not out.
func standings(rows []Row) []standing {
	places := make(map[Cell]*place)
	var plans []string
	for _, r := range rows {
		if r.Kind != arm.Plan {
			continue
		}
		plans = append(plans, r.Arm)
		p := places[r.cell()]
		if p == nil {
			p = &place{p50: math.MaxInt64, p99: math.MaxInt64}
			places[r.cell()] = p
		}
		p.add(r)
	}
	slices.Sort(plans)
	var all []standing
	for _, plan := range slices.Compact(plans) {
		if s, ok := stand(plan, places); ok {
			all = append(all, s)
		}
	}
	return all
}

func (r Row) cell() Cell { return Cell{r.Device, r.Host, r.Workload, r.Waiters} }

// add takes a row in. A row of failed waits sets no mark for others.
func (p *place) add(r Row) {
	p.rows = append(p.rows, r)
	if r.Errors == 0 && r.Waits > 0 {
		p.p50, p.p99 = min(p.p50, r.Latency.P50), min(p.p99, r.Latency.P99)
	}
}

// stand returns a plan's standing, false when it is out.
func stand(plan string, places map[Cell]*place) (standing, bool) {
	var p50, p99, cpu mean
	for _, p := range places {
		i := slices.IndexFunc(p.rows, func(r Row) bool { return r.Arm == plan })
		if i < 0 || p.rows[i].Errors > 0 || p.rows[i].Waits == 0 {
			return standing{}, false
		}
		r := p.rows[i]
		p50.add(ratio(float64(r.Latency.P50), float64(p.p50)))
		p99.add(ratio(float64(r.Latency.P99), float64(p.p99)))
		cpu.add(r.CPURatio)
	}
	return standing{plan, p50.value(), p99.value(), cpu.value()}, true
}

// A mean is a geometric mean. It leaves out what is 0: a clock that did not move
// measured nothing.
type mean struct{ logs []float64 }

func (m *mean) add(v float64) {
	if v > 0 {
		m.logs = append(m.logs, math.Log(v))
	}
}

// value adds up in a fixed order, so that it does not depend on that of the cells.
func (m *mean) value() float64 {
	if len(m.logs) == 0 {
		return 0
	}
	slices.Sort(m.logs)
	sum := 0.0
	for _, l := range m.logs {
		sum += l
	}
	return math.Exp(sum / float64(len(m.logs)))
}
