package lawtest

import (
	"bufio"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// healthy is a small module that keeps all laws.
var healthy = map[string]string{
	"go.mod":                "module gpureactor\n",
	"open.go":               "// Package gpureactor opens.\npackage gpureactor\nimport _ \"gpureactor/hosts/epoll\"",
	"port/port.go":          "// Package port holds contracts.\npackage port",
	"hosts/std/std.go":      "// Package std is a host.\npackage std",
	"hosts/epoll/epoll.go":  "// Package epoll is a host.\npackage epoll",
	"backends/soft/soft.go": "// Package soft is a device.\npackage soft",
}

// A plant is a change to the healthy module and the verdict on it.
type plant struct {
	name string
	// gone are files taken away, files those laid over.
	gone  []string
	files map[string]string
	// want is "place: clause" for each violation, in order.
	want []string
}

// readPlants reads the plants in the files that match pattern, one after another:
//
//	== name
//	want place: clause
//	gone file
//	-- file --
//	its text
func readPlants(t *testing.T, pattern string) []*plant {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("no plants match %s (%v)", pattern, err)
	}
	var all []*plant
	for _, name := range names {
		plants, err := parsePlants(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, plants...)
	}
	return all
}

func parsePlants(name string) ([]*plant, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var (
		all   []*plant
		into  string
		lines = bufio.NewScanner(f)
	)
	for lines.Scan() {
		text := lines.Text()
		if title, ok := strings.CutPrefix(text, "== "); ok {
			all, into = append(all, &plant{name: title, files: map[string]string{}}), ""
			continue
		}
		if len(all) == 0 {
			return nil, fmt.Errorf("%s: %q stands before the first plant", name, text)
		}
		into = all[len(all)-1].read(text, into)
	}
	return all, lines.Err()
}

// read takes in one line of p and returns the file that the next one belongs to.
func (p *plant) read(text, into string) string {
	words := strings.Fields(text)
	switch {
	case len(words) == 3 && words[0] == "--" && words[2] == "--":
		return words[1]
	case into != "":
		p.files[into] += text + "\n"
	case strings.HasPrefix(text, "want "):
		p.want = append(p.want, strings.TrimPrefix(text, "want "))
	case strings.HasPrefix(text, "gone "):
		p.gone = append(p.gone, strings.TrimPrefix(text, "gone "))
	}
	return into
}

// tree reads the healthy module with p laid over it.
func (p *plant) tree(t *testing.T) *Tree {
	t.Helper()
	all := maps.Clone(healthy)
	maps.Copy(all, p.files)
	for _, name := range p.gone {
		delete(all, name)
	}
	tree, err := Read(mapFS(all))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func mapFS(files map[string]string) fs.FS {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

// verdict applies all laws and returns "place: clause" for each violation.
func verdict(tree *Tree) []string {
	var all []string
	for _, law := range Laws() {
		for _, v := range law.Check(tree) {
			all = append(all, v.Where+": "+string(v.Clause))
		}
	}
	return all
}
