package lawtest

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"path"
)

// A platform is a system and a processor to build for.
type platform struct{ system, processor string }

// platforms are those that must export the same.
var platforms = []platform{
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"darwin", "arm64"},
	{"windows", "amd64"},
	{"freebsd", "amd64"},
}

// String returns "system/processor".
func (p platform) String() string { return p.system + "/" + p.processor }

// build returns the context that picks p's files from the tree.
func (p platform) build(t *Tree) *build.Context {
	c := build.Default
	c.GOOS, c.GOARCH, c.CgoEnabled, c.BuildTags = p.system, p.processor, false, nil
	c.JoinPath = path.Join
	c.OpenFile = func(name string) (io.ReadCloser, error) { return t.fsys.Open(name) }
	return &c
}

// pick parses anew the files of dir that are built on p, tests aside. The caller
// may change what it gets.
func (t *Tree) pick(dir *pkg, p platform) ([]*ast.File, error) {
	var picked []*ast.File
	context := p.build(t)
	for _, f := range dir.code() {
		match, err := context.MatchFile(dir.dir, path.Base(f.path))
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", f.path, p, err)
		}
		if !match {
			continue
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), f.path, f.src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		picked = append(picked, syntax)
	}
	return picked, nil
}
