package lawtest

import "strings"

// reach returns, for each import path that dir's code reaches through packages
// of this module, the chain of imports that leads there.
func (t *Tree) reach(dir string) map[string]string {
	chains := map[string]string{}
	t.follow(dir, t.nameOf(dir), chains)
	return chains
}

func (t *Tree) follow(dir, chain string, chains map[string]string) {
	p := t.packages[dir]
	if p == nil {
		return
	}
	for _, f := range p.code() {
		for _, i := range f.imports {
			if _, seen := chains[i.path]; seen {
				continue
			}
			next := chain + " -> " + strings.TrimPrefix(i.path, t.module+"/")
			chains[i.path] = next
			if sub, ok := t.local(i.path); ok {
				t.follow(sub, next, chains)
			}
		}
	}
}

func (t *Tree) nameOf(dir string) string {
	if dir == "." {
		return t.module
	}
	return dir
}
