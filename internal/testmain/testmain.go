// Package testmain ends a package's tests with a look for what they left behind:
// goroutines, descriptors, and whatever else the package can name. Every package
// with tests has
//
//	func TestMain(m *testing.M) { testmain.Main(m) }
//
// and adds a [Check] for each resource of its own, such as the pages of
// testmain/pages. A leak fails the run although every test passed.
package testmain

import (
	"flag"
	"fmt"
	"io"
	"os"
	"testing"
	"time"
)

// A Check looks for one kind of leak.
type Check struct {
	// Name is what leaks, in the plural.
	Name string
	// Start is called before the first test; nil does nothing.
	Start func()
	// Leaks returns one text for each thing that is left, with the stack that
	// opened it where that is known. It is called again while it finds some, for
	// a while, since goroutines that were told to end need time to do so.
	Leaks func() []string

	// patient says that Leaks pauses and looks again by itself.
	patient bool
	// blame says more about leaks that were found; nil knows no more.
	blame func() string
}

// Main runs the tests and then the checks, those for goroutines and descriptors
// first, and exits the process: with the status of the tests, or with 1 when they
// passed but leaked. It looks for no leaks after a failure, which explains them.
func Main(m *testing.M, checks ...Check) {
	os.Exit(run(m.Run, os.Stderr, append([]Check{goroutines(), descriptors()}, checks...)))
}

func run(tests func() int, report io.Writer, checks []Check) int {
	for _, c := range checks {
		if c.Start != nil {
			c.Start()
		}
	}
	status := tests()
	if status != 0 || isFuzzWorker() {
		return status
	}
	for _, c := range checks {
		if c.report(report) {
			status = 1
		}
	}
	return status
}

// report writes down the leaks and says whether there are any.
func (c Check) report(to io.Writer) bool {
	find := func() []string { return settle(c.Leaks) }
	if c.patient {
		find = c.Leaks
	}
	leaks := find()
	for _, leak := range leaks {
		fmt.Fprintf(to, "leak of %s: %s\n", c.Name, leak)
	}
	if len(leaks) > 0 && c.blame != nil && !isAlone() {
		fmt.Fprintf(to, "%s: %s\n", c.Name, c.blame())
	}
	return len(leaks) > 0
}

// settle calls leaks until it finds none, pausing ever longer in between, about
// half a second in all.
func settle(leaks func() []string) []string {
	const longest = 100 * time.Millisecond
	pause := 50 * time.Microsecond
	for range 15 {
		if len(leaks()) == 0 {
			return nil
		}
		time.Sleep(pause)
		pause = min(2*pause, longest)
	}
	return leaks()
}

// isFuzzWorker reports whether another test process runs this one to try inputs,
// by descriptors that it owns, and stops it at any point.
func isFuzzWorker() bool {
	f := flag.Lookup("test.fuzzworker")
	return f != nil && f.Value.String() == "true"
}
