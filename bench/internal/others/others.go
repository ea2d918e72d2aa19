// Package others tells how much of the machine's CPU time went to other programs,
// which a measurement suffers from.
//
//	w := others.Watch()
//	... measure ...
//	if share, ok := w.Share(); ok && share > 0.1 {
//		// other programs had a tenth of the machine
//	}
package others

import "time"

// A Watcher remembers what had been used when it was made.
type Watcher struct {
	start usage
	ok    bool
}

// usage is CPU time used so far.
type usage struct {
	// all is that of the whole machine, and possible what there was: elapsed time
	// on every processor.
	all, possible time.Duration
	// own is that of this process and of its children that have ended.
	own time.Duration
}

// Watch starts watching.
func Watch() Watcher {
	u, ok := read()
	return Watcher{u, ok}
}

// Share returns the part of the machine's CPU time since Watch that neither this
// process nor a child that has ended since used: 0 to 1. It returns false where
// the system does not tell, or nothing has passed.
func (w Watcher) Share() (share float64, ok bool) {
	now, ok := read()
	if !ok || !w.ok {
		return 0, false
	}
	return between(w.start, now)
}

func between(from, to usage) (share float64, ok bool) {
	possible := to.possible - from.possible
	if possible <= 0 {
		return 0, false
	}
	others := (to.all - from.all) - (to.own - from.own)
	return min(1, max(0, float64(others)/float64(possible))), true
}
