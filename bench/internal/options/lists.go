package options

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"gpureactor/bench/internal/arm"
	"gpureactor/bench/internal/report"
	"gpureactor/bench/internal/workload"
)

// What runs unless the command line says otherwise. The times leave room for
// building the program.
const (
	defaultRounds = 10
	total         = 45 * time.Second
	quickTotal    = 7 * time.Second
)

func defaultWorkloads(quick bool) []string {
	if quick {
		return []string{"const:1ms", "bimodal:500us:2ms:20%"}
	}
	return []string{"const:1ms", "const:5ms", "jitter:1ms:20%", "bimodal:500us:2ms:20%", "drift:500us:1500us:200"}
}

func defaultWaiters(quick bool) []string {
	if quick {
		return []string{"1,8"}
	}
	return []string{"1,8,64"}
}

func (f *flags) parseWorkloads() ([]workload.Workload, error) {
	given := f.workloads
	if len(given) == 0 {
		given = defaultWorkloads(f.quick)
	}
	var all []workload.Workload
	for _, text := range given {
		w, err := workload.Parse(text)
		if err != nil {
			return nil, err
		}
		if slices.Contains(all, w) {
			return nil, refuse("workload", text, "each workload once")
		}
		all = append(all, w)
	}
	return all, nil
}

func (f *flags) parseWaiters() ([]int, error) {
	given := f.waiters
	if len(given) == 0 {
		given = defaultWaiters(f.quick)
	}
	var all []int
	for _, text := range strings.Split(strings.Join(given, ","), ",") {
		n, err := strconv.Atoi(text)
		switch {
		case err != nil || n < 1 || n > MaxWaiters:
			return nil, refuse("number of waiters", text, "1 to "+strconv.Itoa(MaxWaiters))
		case slices.Contains(all, n):
			return nil, refuse("number of waiters", text, "each number once")
		}
		all = append(all, n)
	}
	return all, nil
}

func (f *flags) parseArms(o *Options) error {
	plans, err := f.parsePlans()
	if err != nil {
		return err
	}
	peers, added, err := f.parsePeers()
	if err != nil {
		return err
	}
	o.Arms, o.BaselineAdded = append(plans, peers...), added
	return nil
}

func (f *flags) parsePlans() ([]arm.Arm, error) {
	if len(f.plans) == 0 {
		return arm.Plans(), nil
	}
	var all []arm.Arm
	for _, text := range f.plans {
		a, err := arm.ParsePlan(text)
		if err != nil {
			return nil, err
		}
		if named(all, a.Name) {
			return nil, refuse("plan", text, "each plan once")
		}
		all = append(all, a)
	}
	return all, nil
}

// parsePeers always returns the baseline among the peers, and says whether it was
// not asked for.
func (f *flags) parsePeers() (peers []arm.Arm, added bool, err error) {
	switch f.peers {
	case "all":
		return arm.Peers(), false, nil
	case "none":
		return []arm.Arm{arm.Spin()}, true, nil
	}
	for _, name := range strings.Split(f.peers, ",") {
		all := arm.Peers()
		i := slices.IndexFunc(all, func(a arm.Arm) bool { return a.Name == name })
		switch {
		case i < 0:
			return nil, false, refuse("peer", name, "all, none or some of "+names(all))
		case named(peers, name):
			return nil, false, refuse("peer", name, "each peer once")
		}
		peers = append(peers, all[i])
	}
	if named(peers, report.Baseline) {
		return peers, false, nil
	}
	return append([]arm.Arm{arm.Spin()}, peers...), true, nil
}

func named(all []arm.Arm, name string) bool {
	return slices.ContainsFunc(all, func(a arm.Arm) bool { return a.Name == name })
}

func names(all []arm.Arm) string {
	var texts []string
	for _, a := range all {
		texts = append(texts, a.Name)
	}
	return strings.Join(texts, ", ")
}
