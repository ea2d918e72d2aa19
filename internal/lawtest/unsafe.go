package lawtest

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
)

// unsafeFiles are the files, tests aside, in which unsafe may stand. A system's
// suffix may follow.
var unsafeFiles = []string{
	"internal/hostmem/*_unsafe",
	"internal/dl/*_unsafe",
	"backends/*/calls*_unsafe",
	"hosts/iouring/*_unsafe",
	"hosts/wordwait/stubs*",
}

// reason is what a comment says that gives a use its reason: the mark unsafe: or
// the word sound.
var reason = regexp.MustCompile(`(?i)\bunsafe:|\bsound\b`)

// constants of package unsafe touch no memory and need no reason.
var constants = []string{"Alignof", "Offsetof", "Sizeof"}

func checkUnsafe(t *Tree) []Violation {
	var found []Violation
	for _, p := range t.sorted() {
		for _, f := range p.files {
			found = append(found, t.linknames(f)...)
			if !f.test {
				found = append(found, t.unsafeFaults(f)...)
			}
		}
	}
	return found
}

func (t *Tree) linknames(f *file) []Violation {
	var found []Violation
	for _, group := range f.syntax.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:linkname") {
				found = append(found, Violation{Linkname, t.at(c.Pos()), c.Text, "use what is exported"})
			}
		}
	}
	return found
}

func (t *Tree) unsafeFaults(f *file) []Violation {
	i := slices.IndexFunc(f.imports, func(i imported) bool { return i.path == "unsafe" })
	if i < 0 {
		return nil
	}
	use := f.imports[i]
	if !mayBeUnsafe(f.path) {
		return []Violation{{UnsafePlace, t.at(use.pos), "import of unsafe",
			"it may stand in tests and in " + strings.Join(unsafeFiles, ".go, ") + ".go"}}
	}
	if use.name == "." || use.name == "_" {
		return []Violation{{UnsafeReason, t.at(use.pos), "import of unsafe as " + use.name,
			"import it plainly, so that each use is seen"}}
	}
	return t.unreasoned(f, use.localName())
}

// mayBeUnsafe matches name against the patterns, with and without a suffix for a
// system or processor.
func mayBeUnsafe(name string) bool {
	stem := strings.TrimSuffix(name, ".go")
	return slices.ContainsFunc(unsafeFiles, func(pattern string) bool {
		plain, _ := path.Match(pattern, stem)
		suffixed, _ := path.Match(pattern+"_*", stem)
		return plain || suffixed
	})
}

// unreasoned returns the top-level declarations that use unsafe with no comment
// in or above them that gives the reason.
func (t *Tree) unreasoned(f *file, name string) []Violation {
	var found []Violation
	for _, decl := range f.syntax.Decls {
		uses := slices.DeleteFunc(selectors(decl, name), func(s *ast.SelectorExpr) bool {
			return slices.Contains(constants, s.Sel.Name)
		})
		if len(uses) > 0 && !reasoned(f.syntax, decl) {
			found = append(found, Violation{UnsafeReason, t.at(uses[0].Pos()), "use of " + name + "." + uses[0].Sel.Name,
				"say in a comment, after the mark unsafe:, why it is needed, why it is sound, why there is no safe way"})
		}
	}
	return found
}

func reasoned(syntax *ast.File, decl ast.Decl) bool {
	from, to := start(decl), decl.End()
	return slices.ContainsFunc(syntax.Comments, func(c *ast.CommentGroup) bool {
		return c.Pos() >= from && c.End() <= to && reason.MatchString(c.Text())
	})
}

// start is the position of decl's comment, or of decl where it has none.
func start(decl ast.Decl) token.Pos {
	if doc := docOf(decl); doc != nil {
		return doc.Pos()
	}
	return decl.Pos()
}

func docOf(decl ast.Decl) *ast.CommentGroup {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		return d.Doc
	case *ast.GenDecl:
		return d.Doc
	}
	return nil
}
