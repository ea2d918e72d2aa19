package lawtest

import (
	"maps"
	"slices"
	"strings"
)

func checkAPI(t *Tree) []Violation {
	var found []Violation
	for _, p := range t.sorted() {
		if !p.internal() && !p.command() {
			found = append(found, t.apiFaults(p)...)
		}
	}
	return found
}

// apiFaults compares what p exports on each platform with all that it exports on
// any.
func (t *Tree) apiFaults(p *pkg) []Violation {
	where := map[string][]string{} // platforms by item
	for _, on := range platforms {
		files, err := t.pick(p, on)
		if err != nil {
			return []Violation{{DifferentAPI, p.dir, err.Error(), "make the file readable"}}
		}
		for item := range surfaceOf(files) {
			where[item] = append(where[item], on.String())
		}
	}
	var found []Violation
	for _, item := range slices.Sorted(maps.Keys(where)) {
		if there := where[item]; len(there) < len(platforms) {
			found = append(found, Violation{DifferentAPI, p.dir, item + " is there only on " + strings.Join(there, ", "),
				"give the other platforms one that returns port.ErrNotSupported"})
		}
	}
	return found
}
