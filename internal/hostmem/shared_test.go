package hostmem

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gpureactor/port"
	"gpureactor/port/porttest"
)

// childEnv makes the test binary play the other process.
const childEnv = "HOSTMEM_TEST_CHILD"

// newShared returns a shared page, or skips where the system has none.
func newShared(t *testing.T, lines int) (*Page, *os.File) {
	t.Helper()
	p, f, err := NewShared(lines)
	porttest.Require(t, "sharedmemory", err)
	t.Cleanup(func() { f.Close() })
	return p, f
}

func TestSharedPageIsTheSameMemoryInTwoMappings(t *testing.T) {
	before := Live()
	a, f := newShared(t, 2)
	b, err := MapShared(f, 2)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	a.Line(1).Word(slot(2)).Store(9)
	if v := b.Line(1).Word(slot(2)).Load(); v != 9 {
		t.Errorf("the other mapping reads %d", v)
	}
	a.Release()
	b.Line(0).Word(slot(0)).Store(1)
	b.Release()
	if Live() != before {
		t.Errorf("%d pages live, want %d", Live(), before)
	}
}

func TestSharedPageCarriesStoresOfAnotherProcess(t *testing.T) {
	if os.Getenv(childEnv) != "" {
		childStores(t)
		return
	}
	p, f := newShared(t, 1)
	defer p.Release()
	p.Line(0).Word(slot(0)).Store(41)
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), childEnv+"=1")
	child.ExtraFiles = []*os.File{f}
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("child: %v\n%s", err, out)
	}
	if v := p.Line(0).Word(slot(1)).Load(); v != 42 {
		t.Errorf("word stored by the child reads %d", v)
	}
}

// childStores reads one word of the inherited page and stores the next number
// into another.
func childStores(t *testing.T) {
	f := os.NewFile(3, "lines")
	defer f.Close()
	p, err := MapShared(f, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Release()
	p.Line(0).Word(slot(1)).Store(p.Line(0).Word(slot(0)).Load() + 1)
}

func TestMapSharedRefusesWhatCannotHoldThePage(t *testing.T) {
	p, closed := newShared(t, 1)
	p.Release()
	closed.Close()
	short, err := os.Create(filepath.Join(t.TempDir(), "short"))
	if err != nil {
		t.Fatal(err)
	}
	defer short.Close()
	for _, c := range []struct {
		name  string
		file  *os.File
		lines int
		want  error
	}{
		{"empty file", short, 1, port.ErrOutOfRange},
		{"no lines", short, 0, port.ErrOutOfRange},
		{"nil file", nil, 1, port.InvalidDescriptor},
		{"closed file", closed, 1, port.InvalidDescriptor},
	} {
		before := Live()
		if _, err := MapShared(c.file, c.lines); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if Live() != before {
			t.Errorf("%s: a refused page is counted", c.name)
		}
	}
}
