package lawtest

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// modulePath leads from this package to the module.
const modulePath = "../.."

func TestModuleKeepsItsLaws(t *testing.T) {
	tree, err := Read(os.DirFS(modulePath))
	if err != nil {
		t.Fatal(err)
	}
	for _, law := range Laws() {
		t.Run(law.Name, func(t *testing.T) {
			for _, v := range law.Check(tree) {
				t.Errorf("law %d: %s", law.Number, v)
			}
		})
	}
}

func TestHealthyTreePasses(t *testing.T) {
	if got := verdict(new(plant).tree(t)); got != nil {
		t.Errorf("violations: %q", got)
	}
}

func TestEveryPlantedFaultIsFound(t *testing.T) {
	for _, p := range readPlants(t, "law*.txt") {
		t.Run(p.name, func(t *testing.T) {
			if got := verdict(p.tree(t)); len(p.want) == 0 || !slices.Equal(got, p.want) {
				t.Errorf("violations\n %q, want\n %q", got, p.want)
			}
		})
	}
}

func TestEveryClauseHasAPlant(t *testing.T) {
	broken := map[string]bool{}
	for _, p := range readPlants(t, "law*.txt") {
		for _, w := range p.want {
			_, clause, _ := strings.Cut(w, ": ")
			broken[clause] = true
		}
	}
	for _, law := range Laws() {
		for _, clause := range law.Clauses {
			if !broken[string(clause)] {
				t.Errorf("law %d, clause %q: no plant breaks it", law.Number, clause)
			}
		}
	}
}

func TestWhatTheLawsAllowPasses(t *testing.T) {
	for _, p := range readPlants(t, "allowed.txt") {
		t.Run(p.name, func(t *testing.T) {
			if got := verdict(p.tree(t)); got != nil {
				t.Errorf("violations: %q", got)
			}
		})
	}
}

func TestViolationNamesPlaceFaultAndWayOut(t *testing.T) {
	p := plant{files: map[string]string{"port/now.go": "package port\nimport \"time\"\nvar now = time.Now"}}
	got := checkCore(p.tree(t))
	if len(got) != 1 {
		t.Fatalf("violations: %v, want one", got)
	}
	want := "port/now.go:3: real time in the core: use of time.Now; take the time from port.Clock"
	if got[0].String() != want {
		t.Errorf("text %q, want %q", got[0], want)
	}
}
