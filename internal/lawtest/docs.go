package lawtest

import (
	"go/ast"
	"slices"
)

// selfExplaining are methods whose contract is that of a standard interface.
var selfExplaining = []string{"Error", "Is", "MarshalText", "String", "UnmarshalText", "Unwrap"}

func checkDocumentation(t *Tree) []Violation {
	var found []Violation
	for _, p := range t.sorted() {
		code := p.code()
		if len(code) == 0 {
			continue
		}
		if !slices.ContainsFunc(code, func(f *file) bool { return f.syntax.Doc != nil }) {
			found = append(found, Violation{NoPackageDoc, p.dir, "package " + code[0].syntax.Name.Name + " has no comment",
				"say what it is for above its package clause"})
		}
		if !p.internal() && !p.command() {
			found = append(found, t.undocumented(code)...)
		}
	}
	return found
}

func (t *Tree) undocumented(code []*file) []Violation {
	var found []Violation
	for _, f := range code {
		for _, decl := range f.syntax.Decls {
			for _, name := range bare(decl) {
				found = append(found, Violation{NoComment, t.at(name.Pos()), name.Name + " is exported",
					"say what a caller needs to know in a comment above it"})
			}
		}
	}
	return found
}

// bare returns the names that decl exports without a comment. A comment on a
// group counts for all in it, a directive for nothing.
func bare(decl ast.Decl) []*ast.Ident {
	if docOf(decl).Text() != "" {
		return nil
	}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if needsDoc(d) {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		var names []*ast.Ident
		for _, spec := range d.Specs {
			names = append(names, bareSpec(spec)...)
		}
		return names
	}
	return nil
}

func needsDoc(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return d.Name.IsExported()
	}
	return d.Name.IsExported() && ast.IsExported(receiver(d)) && !slices.Contains(selfExplaining, d.Name.Name)
}

func bareSpec(spec ast.Spec) []*ast.Ident {
	var names []*ast.Ident
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if s.Doc.Text()+s.Comment.Text() == "" {
			names = []*ast.Ident{s.Name}
		}
	case *ast.ValueSpec:
		if s.Doc.Text()+s.Comment.Text() == "" {
			names = s.Names
		}
	}
	return slices.DeleteFunc(slices.Clone(names), func(n *ast.Ident) bool { return !n.IsExported() })
}
