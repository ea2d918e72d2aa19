package lawtest

import (
	"go/ast"
	"slices"
)

const testMain = "internal/testmain"

func checkLeaks(t *Tree) []Violation {
	var found []Violation
	for _, p := range t.sorted() {
		tests := slices.DeleteFunc(slices.Clone(p.files), func(f *file) bool { return !f.test })
		if len(tests) > 0 && p.dir != testMain && !slices.ContainsFunc(tests, t.looksForLeaks) {
			found = append(found, Violation{NoLeakCheck, p.dir, "its tests end without one",
				"let TestMain call testmain.Main"})
		}
	}
	return found
}

// looksForLeaks reports whether f calls testmain.Main.
func (t *Tree) looksForLeaks(f *file) bool {
	for _, i := range f.imports {
		if dir, ok := t.local(i.path); ok && dir == testMain {
			calls := selectors(f.syntax, i.localName())
			return slices.ContainsFunc(calls, func(s *ast.SelectorExpr) bool { return s.Sel.Name == "Main" })
		}
	}
	return false
}
