package hostmem

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"gpureactor/port"
)

func newTestPage(t *testing.T, lines int) *Page {
	t.Helper()
	p, err := New(lines)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// slot returns slot i, which must exist.
func slot(i int) port.Slot {
	s, err := port.NewSlot(i)
	if err != nil {
		panic(err)
	}
	return s
}

func TestPageLinesAreAlignedAndZero(t *testing.T) {
	for _, lines := range []int{1, 2, 63, 64, 65, 1000} {
		t.Run(strconv.Itoa(lines), func(t *testing.T) {
			p := newTestPage(t, lines)
			defer p.Release()
			if p.Len() != lines || len(p.Lines()) != lines {
				t.Fatalf("page of %d lines has %d", lines, p.Len())
			}
			for i, l := range p.Lines() {
				if l != p.Line(i) {
					t.Fatalf("Lines and Line disagree about line %d", i)
				}
				if addr := uintptr(unsafe.Pointer(l)); addr%port.LineBytes != 0 {
					t.Fatalf("line %d lies at %#x", i, addr)
				}
				checkZero(t, l)
			}
		})
	}
}

func checkZero(t *testing.T, l *port.Line) {
	t.Helper()
	for i := range port.LineWords {
		if v := l.Word(slot(i)).Load(); v != 0 {
			t.Fatalf("word %d reads %d", i, v)
		}
	}
}

func TestPageWordsAreDistinctMemory(t *testing.T) {
	p := newTestPage(t, 3)
	defer p.Release()
	for i := range p.Len() * port.LineWords {
		p.Line(i / port.LineWords).Word(slot(i % port.LineWords)).Store(uint64(i) + 1)
	}
	for i := range p.Len() * port.LineWords {
		if v := p.Line(i / port.LineWords).Word(slot(i % port.LineWords)).Load(); v != uint64(i)+1 {
			t.Fatalf("word %d reads %d", i, v)
		}
	}
}

func TestPageRefusesBadLineCounts(t *testing.T) {
	for _, lines := range []int{math.MinInt, -1, 0, MaxLines + 1, math.MaxInt} {
		before := Live()
		_, err := New(lines)
		if !errors.Is(err, port.ErrOutOfRange) {
			t.Errorf("New(%d): %v", lines, err)
		}
		if err != nil && !strings.Contains(err.Error(), strconv.Itoa(lines)) {
			t.Errorf("New(%d) does not name the value: %v", lines, err)
		}
		if _, _, err := NewShared(lines); !errors.Is(err, port.ErrOutOfRange) {
			t.Errorf("NewShared(%d): %v", lines, err)
		}
		if Live() != before {
			t.Errorf("a refused page of %d lines is counted", lines)
		}
	}
}

func TestPageLivesUntilItsLastRelease(t *testing.T) {
	before := Live()
	p := newTestPage(t, 1)
	p.Retain()
	p.Release()
	if Live() != before+1 {
		t.Fatalf("%d pages live, want %d", Live(), before+1)
	}
	p.Line(0).Word(slot(7)).Store(1)
	p.Release()
	if Live() != before {
		t.Fatalf("%d pages live, want %d", Live(), before)
	}
}

func TestPageMiscountsPanicAsBugs(t *testing.T) {
	for name, use := range map[string]func(*Page){
		"release": (*Page).Release,
		"retain":  (*Page).Retain,
	} {
		t.Run(name, func(t *testing.T) {
			p := newTestPage(t, 1)
			p.Release()
			defer func() {
				if s, _ := recover().(string); !strings.HasPrefix(s, "BUG:") {
					t.Errorf("%s after the last release: recovered %q", name, s)
				}
			}()
			use(p)
		})
	}
}

func TestKeptPageStaysMappedAndIsCountedApart(t *testing.T) {
	live, kept := Live(), Kept()
	p := newTestPage(t, 1)
	w := p.Line(0).Word(slot(0))
	p.Keep()
	p.Keep()
	p.Release()
	if Live() != live || Kept() != kept+1 {
		t.Fatalf("live %d kept %d, want %d and %d", Live(), Kept(), live, kept+1)
	}
	w.Store(5)
	if w.Load() != 5 {
		t.Fatal("a kept page lost a store")
	}
}

func TestTrackTellsWhoOpenedALivePage(t *testing.T) {
	Track(true)
	defer Track(false)
	p, gone := newTestPage(t, 1), newTestPage(t, 1)
	gone.Release()
	stacks := OpenStacks()
	if len(stacks) != 1 || !strings.Contains(stacks[0], t.Name()) {
		t.Errorf("stacks of one live page: %q", stacks)
	}
	p.Release()
	if left := OpenStacks(); len(left) != 0 {
		t.Errorf("stacks after the last release: %q", left)
	}
}

func TestUntrackedPagesHaveNoStacks(t *testing.T) {
	p := newTestPage(t, 1)
	defer p.Release()
	if got := OpenStacks(); len(got) != 0 {
		t.Errorf("stacks without tracking: %q", got)
	}
}

func TestPageReferencesCountedFromManyGoroutines(t *testing.T) {
	before := Live()
	p := newTestPage(t, 1)
	var wg sync.WaitGroup
	for range 8 {
		p.Retain()
		wg.Go(func() {
			for range 1000 {
				p.Retain()
				p.Line(0).Word(slot(1)).Load()
				p.Release()
			}
			p.Release()
		})
	}
	p.Release()
	wg.Wait()
	if Live() != before {
		t.Fatalf("%d pages live, want %d", Live(), before)
	}
}

func TestAdoptedPageUsesTheMemoryAndFreesItOnce(t *testing.T) {
	under := newTestPage(t, 2)
	defer under.Release()
	under.Line(1).Word(slot(3)).Store(42)
	freed := 0
	p, err := Adopt(uintptr(unsafe.Pointer(under.Line(0))), 2, func() { freed++ })
	if err != nil {
		t.Fatal(err)
	}
	if v := p.Line(1).Word(slot(3)).Load(); v != 42 {
		t.Errorf("adopted word reads %d", v)
	}
	p.Line(0).Word(slot(0)).Store(7)
	if v := under.Line(0).Word(slot(0)).Load(); v != 7 {
		t.Errorf("a store to the adopted page reads %d below", v)
	}
	p.Release()
	if freed != 1 {
		t.Errorf("freed %d times", freed)
	}
}

func TestAdoptRefusesBadAddresses(t *testing.T) {
	under := newTestPage(t, 1)
	defer under.Release()
	base := uintptr(unsafe.Pointer(under.Line(0)))
	for _, c := range []struct {
		name  string
		addr  uintptr
		lines int
	}{
		{"zero", 0, 1}, {"unaligned by 8", base + 8, 1},
		{"no lines", base, 0}, {"too many lines", base, MaxLines + 1},
	} {
		_, err := Adopt(c.addr, c.lines, func() { t.Errorf("%s: free was called", c.name) })
		if !errors.Is(err, port.ErrOutOfRange) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestShortOrUnalignedMemoryHoldsNoLines(t *testing.T) {
	p := newTestPage(t, 2)
	defer p.Release()
	mem := bytesAt(uintptr(unsafe.Pointer(p.Line(0))), 2*port.LineBytes)
	for name, part := range map[string][]byte{
		"short": mem[:2*port.LineBytes-1], "unaligned": mem[8 : 8+port.LineBytes],
	} {
		n := len(part)/port.LineBytes + 1
		if name == "unaligned" {
			n = 1
		}
		if _, err := linesOf(part, n); !errors.Is(err, port.ErrOutOfRange) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
