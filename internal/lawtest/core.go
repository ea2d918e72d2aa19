package lawtest

import (
	"go/ast"
	"slices"
)

// coreDirs are the packages whose every decision can be replayed on a virtual
// clock. Their third-party and adapter imports are the layers' business.
var coreDirs = []string{"port", "deadline", "waitplan", "reactor", "fill"}

// realTime holds, by import, the functions that read or wait for real time.
var realTime = map[string][]string{
	"time":    {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"},
	"context": {"WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause"},
}

func checkCore(t *Tree) []Violation {
	var found []Violation
	for _, p := range t.sorted() {
		if !isCore(p.dir) {
			continue
		}
		for _, f := range p.code() {
			found = append(found, t.coreFaults(f)...)
		}
	}
	return found
}

func isCore(dir string) bool {
	return slices.ContainsFunc(coreDirs, func(c string) bool { return under(dir, c) })
}

func (t *Tree) coreFaults(f *file) []Violation {
	var found []Violation
	for _, i := range f.imports {
		if i.path == "unsafe" {
			found = append(found, Violation{CoreUnsafe, t.at(i.pos), "the core imports unsafe",
				"move what needs it to a backend or a host"})
		}
		if names := realTime[i.path]; names != nil {
			found = append(found, t.clockFaults(f, i, names)...)
		}
	}
	return found
}

// clockFaults finds calls of the named functions, and their use as values. A dot
// import is refused as such, for it hides them.
func (t *Tree) clockFaults(f *file, i imported, names []string) []Violation {
	const advice = "take the time from port.Clock"
	if i.name == "." {
		return []Violation{{RealTime, t.at(i.pos), "dot import of " + i.path, advice}}
	}
	var found []Violation
	for _, sel := range selectors(f.syntax, i.localName()) {
		if slices.Contains(names, sel.Sel.Name) {
			found = append(found, Violation{RealTime, t.at(sel.Pos()), "use of " + i.path + "." + sel.Sel.Name, advice})
		}
	}
	return found
}

// selectors returns the expressions name.X under root.
func selectors(root ast.Node, name string) []*ast.SelectorExpr {
	var all []*ast.SelectorExpr
	ast.Inspect(root, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == name {
				all = append(all, sel)
			}
		}
		return true
	})
	return all
}
