package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gpureactor/bench/internal/arm"
)

// The limits of the rule of [Pick].
const (
	// MaxP50 bounds a plan's p50 latency, in multiples of the baseline's.
	MaxP50 = 3
	// MaxP99 bounds its p99 latency, in multiples of the least of any plan.
	MaxP99 = 10
)

// A Choice is the plan to use, and why. The zero Choice says that none will do.
type Choice struct{ Plan, Why string }

// Pick chooses a plan from the rows of any number of cells. The rule:
//
//   - a plan counts by its geometric means over all cells, so that no cell weighs
//     more for being slow;
//   - out are plans that had an error, or no row in a cell where others had one;
//   - of those within MaxP50 and MaxP99 the one with the least CPU time wins;
//   - if there is none, the one with the least p50 latency does.
//
// Equal plans go by p50 latency, then by name, so equal rows give equal choices.
func Pick(rows []Row) Choice {
	all := standings(rows)
	if len(all) == 0 {
		return Choice{Why: "no plan finished every cell without an error"}
	}
	best := slices.MinFunc(all, func(a, b standing) int { return cmp.Compare(a.p99, b.p99) })
	within := slices.DeleteFunc(slices.Clone(all), func(s standing) bool {
		return s.p50 > MaxP50 || s.p99 > MaxP99*best.p99
	})
	if len(within) == 0 {
		slices.SortFunc(all, byLatency)
		return all[0].choice(fmt.Sprintf("no plan keeps its p50 within %dx of %s and its p99 within %dx of the best plan; this one has the least p50",
			MaxP50, Baseline, MaxP99))
	}
	slices.SortFunc(within, byCPU)
	return within[0].choice(fmt.Sprintf("the least CPU of the %d of %d plans that keep their p50 within %dx of %s and their p99 within %dx of the best plan",
		len(within), len(all), MaxP50, Baseline, MaxP99))
}

// A standing is what a plan counts by: geometric means over cells.
type standing struct {
	plan string
	// p50 and cpu are ratios to the baseline, p99 is in nanoseconds.
	p50, p99, cpu float64
}

func (s standing) choice(rule string) Choice {
	return Choice{s.plan, fmt.Sprintf("%s (p50 %.2fx, CPU %.2fx of %s)", rule, s.p50, s.cpu, Baseline)}
}

func byCPU(a, b standing) int {
	return cmp.Or(cmp.Compare(a.cpu, b.cpu), byLatency(a, b))
}

func byLatency(a, b standing) int {
	return cmp.Or(cmp.Compare(a.p50, b.p50), cmp.Compare(a.plan, b.plan))
}

// standings returns those of the plans that are not out.
func standings(rows []Row) []standing {
	cells := make(map[Cell]bool)
	byPlan := make(map[string][]Row)
	for _, r := range rows {
		if r.Kind == arm.Plan {
			cells[r.cell()] = true
			byPlan[r.Arm] = append(byPlan[r.Arm], r)
		}
	}
	var all []standing
	for plan, rows := range byPlan {
		out := slices.ContainsFunc(rows, func(r Row) bool { return r.Errors > 0 || r.Waits == 0 })
		if !out && len(rows) == len(cells) {
			all = append(all, stand(plan, rows))
		}
	}
	slices.SortFunc(all, byLatency)
	return all
}

func (r Row) cell() Cell { return Cell{r.Device, r.Host, r.Workload, r.Waiters} }

func stand(plan string, rows []Row) standing {
	return standing{
		plan: plan,
		p50:  geometricMean(rows, func(r Row) float64 { return r.LatencyRatio }),
		p99:  geometricMean(rows, func(r Row) float64 { return float64(r.Latency.P99) }),
		cpu:  geometricMean(rows, func(r Row) float64 { return r.CPURatio }),
	}
}

// geometricMean leaves out what is 0: a clock that did not move measured nothing.
func geometricMean(rows []Row, of func(Row) float64) float64 {
	sum, n := 0.0, 0
	for _, r := range rows {
		if v := of(r); v > 0 {
			sum += math.Log(v)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return math.Exp(sum / float64(n))
}
