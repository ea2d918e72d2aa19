package lawtest

import "slices"

var vendorDirs = []string{"backends/cuda", "backends/hip", "backends/metal", "backends/opencl", "backends/mapped"}

func checkAdapters(t *Tree) []Violation {
	var found []Violation
	for _, p := range t.sorted() {
		switch {
		case under(p.dir, "backends"):
			found = append(found, t.reaches(p.dir, BackendReactor, []string{"reactor", "fill"},
				"a backend offers port.Source and knows no reactor")...)
		case under(p.dir, "hosts"):
			found = append(found, t.reaches(p.dir, HostVendor, vendorDirs,
				"a host knows lines and descriptors, not vendors")...)
		}
	}
	return found
}

// reaches reports the chains by which dir comes to a package under one of banned.
func (t *Tree) reaches(dir string, c Clause, banned []string, advice string) []Violation {
	var found []Violation
	for importPath, chain := range t.reach(dir) {
		to, local := t.local(importPath)
		if local && slices.ContainsFunc(banned, func(b string) bool { return under(to, b) }) {
			found = append(found, Violation{c, dir, chain, advice})
		}
	}
	return sorted(found)
}
