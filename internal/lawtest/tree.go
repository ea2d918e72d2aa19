package lawtest

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Tree is the Go source of one module, parsed: every file of every package,
// tests and other systems' files included.
type Tree struct {
	fsys     fs.FS
	fset     *token.FileSet
	module   string
	packages map[string]*pkg // by directory
}

// pkg is a directory of Go files: a package and its tests.
type pkg struct {
	dir   string // slash-separated, "." for the module's root
	files []*file
}

type file struct {
	path    string
	test    bool
	src     []byte
	syntax  *ast.File
	imports []imported
}

type imported struct {
	path, name string // name is "" where the import gives none
	pos        token.Pos
}

// Read parses the module whose go.mod lies at the top of fsys. Like the go
// command it leaves out testdata, vendor, directories that begin with a dot or an
// underscore, and nested modules.
func Read(fsys fs.FS) (*Tree, error) {
	t := &Tree{fsys: fsys, fset: token.NewFileSet(), packages: map[string]*pkg{}}
	var err error
	if t.module, err = moduleName(fsys); err != nil {
		return nil, err
	}
	return t, fs.WalkDir(fsys, ".", t.visit)
}

func moduleName(fsys fs.FS) (string, error) {
	text, err := fs.ReadFile(fsys, "go.mod")
	if err != nil {
		return "", err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "module "); ok {
			return strings.TrimSpace(name), nil
		}
	}
	return "", fmt.Errorf("go.mod has no module line")
}

func (t *Tree) visit(name string, entry fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return err
	case entry.IsDir() && t.skips(name):
		return fs.SkipDir
	case !entry.IsDir() && strings.HasSuffix(name, ".go"):
		return t.parse(name)
	}
	return nil
}

func (t *Tree) skips(dir string) bool {
	if dir == "." {
		return false
	}
	base := path.Base(dir)
	if base == "testdata" || base == "vendor" || base[0] == '.' || base[0] == '_' {
		return true
	}
	_, err := fs.Stat(t.fsys, path.Join(dir, "go.mod"))
	return err == nil
}

func (t *Tree) parse(name string) error {
	src, err := fs.ReadFile(t.fsys, name)
	if err != nil {
		return err
	}
	syntax, err := parser.ParseFile(t.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	f := &file{path: name, test: strings.HasSuffix(name, "_test.go"), src: src, syntax: syntax}
	for _, spec := range syntax.Imports {
		f.imports = append(f.imports, readImport(spec))
	}
	dir := path.Dir(name)
	if t.packages[dir] == nil {
		t.packages[dir] = &pkg{dir: dir}
	}
	t.packages[dir].files = append(t.packages[dir].files, f)
	return nil
}

// readImport relies on the parser, which refuses a path that is no string.
func readImport(spec *ast.ImportSpec) imported {
	p, _ := strconv.Unquote(spec.Path.Value)
	i := imported{path: p, pos: spec.Pos()}
	if spec.Name != nil {
		i.name = spec.Name.Name
	}
	return i
}

// localName is the name by which a file of the standard library's package at i
// refers to it.
func (i imported) localName() string {
	if i.name != "" {
		return i.name
	}
	return path.Base(i.path)
}

// sorted returns the packages in the order of their directories.
func (t *Tree) sorted() []*pkg {
	var all []*pkg
	for _, p := range t.packages {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *pkg) int { return strings.Compare(a.dir, b.dir) })
	return all
}

// code returns the files that are not tests.
func (p *pkg) code() []*file {
	return slices.DeleteFunc(slices.Clone(p.files), func(f *file) bool { return f.test })
}

// internal reports whether only this module can import p.
func (p *pkg) internal() bool { return slices.Contains(strings.Split(p.dir, "/"), "internal") }

// command reports whether p is a program.
func (p *pkg) command() bool {
	code := p.code()
	return len(code) > 0 && code[0].syntax.Name.Name == "main"
}

// local returns the directory of an import of this module.
func (t *Tree) local(importPath string) (dir string, ok bool) {
	if importPath == t.module {
		return ".", true
	}
	return strings.CutPrefix(importPath, t.module+"/")
}

// thirdParty reports whether an import is neither the standard library's nor this
// module's: its first element names a host.
func (t *Tree) thirdParty(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	_, local := t.local(importPath)
	return !local && strings.Contains(first, ".")
}

func (t *Tree) at(pos token.Pos) string {
	p := t.fset.Position(pos)
	return p.Filename + ":" + strconv.Itoa(p.Line)
}

// under reports whether dir is parent or lies below it.
func under(dir, parent string) bool {
	return dir == parent || strings.HasPrefix(dir, parent+"/")
}
