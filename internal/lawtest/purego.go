package lawtest

import "slices"

const (
	puregoModule = "github.com/ebitengine/purego"
	puregoHome   = "internal/dl"
)

// defaultPath are the packages of a program that chose nothing: they must be
// there. defaultExtras are judged too where they exist.
var (
	defaultPath   = []string{".", "backends/soft", "hosts/std", "hosts/epoll"}
	defaultExtras = []string{"hosts/iouring", "hosts/wordwait"}
)

func checkPurego(t *Tree) []Violation {
	var found []Violation
	for _, p := range t.sorted() {
		for _, f := range p.files {
			found = append(found, t.foreignFaults(p.dir, f)...)
		}
	}
	for _, dir := range slices.Concat(defaultPath, defaultExtras) {
		found = append(found, t.defaultFaults(dir)...)
	}
	return found
}

// foreignFaults judges tests too: a test that loads a driver its own way proves
// nothing about the one that users run.
func (t *Tree) foreignFaults(dir string, f *file) []Violation {
	var found []Violation
	for _, i := range f.imports {
		switch {
		case i.path == "C":
			found = append(found, Violation{Cgo, t.at(i.pos), "import of C", "load the library through " + puregoHome})
		case under(i.path, puregoModule) && !under(dir, puregoHome):
			found = append(found, Violation{Purego, t.at(i.pos), "import of " + i.path, "call " + puregoHome})
		}
	}
	return found
}

func (t *Tree) defaultFaults(dir string) []Violation {
	if t.packages[dir] == nil {
		if slices.Contains(defaultPath, dir) {
			return []Violation{{MissingContents, dir, "there is no package here", "the default path needs it"}}
		}
		return nil
	}
	var found []Violation
	for importPath, chain := range t.reach(dir) {
		to, local := t.local(importPath)
		if under(importPath, puregoModule) || local && under(to, puregoHome) {
			found = append(found, Violation{DefaultPath, dir, chain, "let the caller bring what needs a driver"})
		}
	}
	return sorted(found)
}
