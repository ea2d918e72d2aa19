package lawtest

import (
	"fmt"
	"slices"
	"strings"
)

// A layer says what the packages at a path and below may import, tests aside:
// the standard library, each other, and what is listed.
type layer struct {
	path string
	// imports are paths of layers.
	imports []string
	// modules are modules from elsewhere.
	modules []string
}

const (
	xsys  = "golang.org/x/sys"
	xterm = "golang.org/x/term"
)

// layers returns the table. Of several paths that match, the longest counts.
func layers() []layer {
	var (
		port    = []string{"port"}
		core    = []string{"port", "deadline", "waitplan", "reactor", "fill"}
		memory  = []string{"port", "internal/hostmem", "internal/feature", "internal/platform", "internal/clamp"}
		host    = append([]string{"hosts/wordwait"}, memory...)
		backend = append([]string{"backends/resident"}, memory...)
		vendor  = append([]string{"backends/mapped", "internal/dl"}, backend...)
		root    = slices.Concat(core, host, []string{"hosts/std", "hosts/epoll", "hosts/iouring", "backends/soft"})
		public  = slices.Concat(core, []string{".", "port/manual", "hosts/std", "hosts/epoll", "hosts/iouring",
			"hosts/gnetloop", "hosts/wordwait", "backends/soft", "backends/cuda", "backends/hip", "backends/metal",
			"backends/opencl", "backends/mapped", "backends/resident"})
	)
	return []layer{
		{"port", nil, nil},
		{"port/manual", port, nil},
		{"port/porttest", []string{"port", "port/manual"}, nil},
		{"deadline", core[:1], nil},
		{"waitplan", core[:2], nil},
		{"reactor", core[:3], nil},
		{"fill", core[:4], nil},

		{"hosts/std", host, []string{xsys}},
		{"hosts/epoll", host, []string{xsys}},
		{"hosts/iouring", host, []string{xsys}},
		{"hosts/wordwait", memory, []string{xsys}},
		{"hosts/gnetloop", slices.Concat(core[:4], host), []string{xsys, "github.com/panjf2000/gnet/v2"}},

		{"backends/soft", backend, nil},
		{"backends/mapped", backend, nil},
		{"backends/resident", memory, nil},
		{"backends/cuda", vendor, nil},
		{"backends/hip", vendor, nil},
		{"backends/metal", vendor, nil},
		{"backends/opencl", vendor, nil},

		{".", root, nil},
		// Its device is a child process, over shared pages and on the same clock.
		{"bench", append([]string{"internal/hostmem", "internal/platform"}, public...), []string{xsys, xterm, "github.com/HdrHistogram/hdrhistogram-go",
			"github.com/schollz/progressbar/v3", "github.com/jedib0t/go-pretty/v6"}},
		{"examples", public, nil},

		{"internal/dl", memory, []string{puregoModule, xsys}},
		{"internal/hostmem", memory, []string{xsys}},
		{"internal/feature", memory, []string{xsys}},
		{"internal/platform", memory, []string{xsys}},
		{"internal/clamp", port, nil},
		{"internal/testmain", nil, []string{"go.uber.org/goleak"}},
		{"internal/testmain/pages", []string{"internal/testmain", "internal/hostmem"}, nil},
		{"internal/hammer", nil, nil},
		{"internal/lawtest", nil, nil},
	}
}

// layerOf returns the layer that dir belongs to. The root's layer is the root
// package alone.
func layerOf(table []layer, dir string) (layer, bool) {
	var best layer
	for _, l := range table {
		if under(dir, l.path) && len(l.path) > len(best.path) {
			best = l
		}
	}
	return best, best.path != ""
}

// testKit are the layers that tests are made with: they may import testing.
var testKit = []string{"port/porttest", "internal/testmain", "internal/hammer"}

func checkLayers(t *Tree) []Violation {
	table := layers()
	if _, ok := t.packages["port"]; !ok {
		return []Violation{{MissingContents, ".", "there is no package port", "read the whole module"}}
	}
	var found []Violation
	for _, p := range t.sorted() {
		l, ok := layerOf(table, p.dir)
		if !ok {
			found = append(found, Violation{UnknownPackage, p.dir, "the layers do not know this package",
				"give it a line in layers.go that says what it may import"})
			continue
		}
		for _, f := range p.code() {
			found = append(found, t.layerFaults(table, l, f)...)
		}
	}
	return found
}

func (t *Tree) layerFaults(table []layer, l layer, f *file) []Violation {
	var found []Violation
	for _, i := range f.imports {
		dir, local := t.local(i.path)
		switch {
		case local && !l.allows(table, dir):
			found = append(found, Violation{Arrow, t.at(i.pos), l.path + " imports " + dir,
				"it may import " + list(l.imports)})
		case t.thirdParty(i.path) && !slices.ContainsFunc(l.modules, func(m string) bool { return under(i.path, m) }):
			found = append(found, Violation{ThirdParty, t.at(i.pos), l.path + " imports " + i.path,
				"from other modules it may import " + list(l.modules)})
		case i.path == "testing" && !slices.Contains(testKit, l.path):
			found = append(found, Violation{TestingImport, t.at(i.pos), l.path + " imports testing",
				"move it to a test file"})
		}
	}
	return found
}

// allows reports whether l has an arrow to the layer of dir, or is that layer.
func (l layer) allows(table []layer, dir string) bool {
	to, ok := layerOf(table, dir)
	return ok && (to.path == l.path || slices.Contains(l.imports, to.path))
}

func list(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("only %s", strings.Join(names, ", "))
}
