package testmain

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// descriptors finds those that were not there at the start, by number and by what
// they are open on. The kernel knows nothing of stacks, so the tests that leak
// when run alone are named instead. It finds none where open cannot list them.
func descriptors() Check {
	var before map[int]string
	return Check{
		Name: "descriptors",
		Start: func() {
			openPoller()
			before = open()
		},
		Leaks: func() []string {
			after := open()
			maps.DeleteFunc(after, func(_ int, target string) bool { return slices.Contains(profiles(), target) })
			return newDescriptors(before, after)
		},
		blame: blame,
	}
}

// openPoller makes the Go runtime open the descriptors of its own poller, which
// it keeps, before they are counted.
func openPoller() {
	r, w, err := os.Pipe()
	if err != nil {
		return
	}
	r.Close()
	w.Close()
}

func newDescriptors(before, after map[int]string) []string {
	var leaks []string
	for _, fd := range slices.Sorted(maps.Keys(after)) {
		if before[fd] != after[fd] {
			leaks = append(leaks, fmt.Sprintf("%d open on %s", fd, after[fd]))
		}
	}
	return leaks
}

// profiles returns the files that package testing opens for flags of its own and
// leaves open.
func profiles() []string {
	var files []string
	for _, name := range []string{"test.cpuprofile", "test.trace"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			files = append(files, inOutputDir(f.Value.String()))
		}
	}
	return files
}

// inOutputDir returns where package testing puts a file of that name.
func inOutputDir(name string) string {
	if dir := flag.Lookup("test.outputdir").Value.String(); !filepath.IsAbs(name) && dir != "" {
		name = filepath.Join(dir, name)
	}
	if full, err := filepath.Abs(name); err == nil {
		return full
	}
	return name
}
