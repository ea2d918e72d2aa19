package lawtest

import (
	"debug/elf"
	"fmt"
	"strings"
)

// Static judges a Linux binary: it must ask for no interpreter and no shared
// library, so that it runs alone in an empty root directory. The error says that
// it could not be read.
func Static(path string) ([]Violation, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var found []Violation
	blame := func(what string) {
		found = append(found, Violation{DynamicBinary, path, what, "find the import that needs a loader"})
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			blame("it asks for an interpreter")
		}
	}
	libs, err := f.ImportedLibraries()
	if err != nil {
		return nil, fmt.Errorf("libraries of %s: %w", path, err)
	}
	if len(libs) > 0 {
		blame("it needs " + strings.Join(libs, ", "))
	}
	return found, nil
}
