package lawtest

import "testing"

func TestReadRefusesWhatIsNoModule(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"no go.mod":      {"a.go": "package a"},
		"no module line": {"go.mod": "go 1.26\n"},
		"broken source":  {"go.mod": "module gpureactor\n", "a.go": "package"},
	} {
		if _, err := Read(mapFS(files)); err == nil {
			t.Errorf("%s: Read returned no error", name)
		}
	}
}

func TestReadLeavesOutWhatTheGoCommandDoes(t *testing.T) {
	broken := plant{files: map[string]string{
		"testdata/x/x.go": "package broken (",
		"vendor/x/x.go":   "package broken (",
		"_old/x.go":       "package broken (",
		".tools/x.go":     "package broken (",
		"nested/go.mod":   "module other\n",
		"nested/x.go":     "package broken (",
	}}
	if got, want := len(broken.tree(t).packages), len(new(plant).tree(t).packages); got != want {
		t.Errorf("%d packages, want %d", got, want)
	}
}
