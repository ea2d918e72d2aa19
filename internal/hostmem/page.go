// Package hostmem hands out pages of completion lines: host memory that a
// device, or another process, can write.
//
// A [Page] is a mapping of its own, so that no other allocation shares a line
// with a device writer. It lives by a reference count: whoever made it holds the
// first reference, and the last [Page.Release] unmaps it. After that a word of
// it must not be touched: the address may fault or belong to something else.
//
//	page, err := hostmem.New(8)
//	if err != nil {
//		return err
//	}
//	defer page.Release()
//	word := page.Line(0).Word(port.Slot{})
//
// Race builds see no synchronisation in these pages: the detector ignores
// atomics outside Go memory. Code that passes Go memory along with a word needs
// a lock of its own beside it, which is what Source.Retire is for.
package hostmem

import (
	"strconv"
	"sync/atomic"

	"gpureactor/port"
)

// MaxLines is the most lines that a page can have: 64 MiB.
const MaxLines = 1 << 20

// A Page is a mapping that holds lines. All methods may be called from any
// goroutine.
type Page struct {
	lines []port.Line
	unmap func()
	refs  atomic.Int64
	kept  atomic.Bool
}

// New returns a page of lines whose words are all 0, with one reference. It
// refuses fewer than 1 and more than [MaxLines] with ErrOutOfRange, and returns
// the system's error when there is no memory.
func New(lines int) (*Page, error) {
	if err := checkLines(lines); err != nil {
		return nil, err
	}
	mem, unmap, err := mapPrivate(roundUp(lines * port.LineBytes))
	if err != nil {
		return nil, mapError(lines, err)
	}
	return newPage(mem, lines, unmap)
}

// newPage makes a page of the first lines of mem.
func newPage(mem []byte, lines int, unmap func()) (*Page, error) {
	view, err := linesOf(mem, lines)
	if err != nil {
		unmap()
		return nil, err
	}
	p := &Page{lines: view, unmap: unmap}
	p.refs.Store(1)
	books.open(p)
	return p, nil
}

// Len returns the number of lines.
func (p *Page) Len() int { return len(p.lines) }

// Line returns line i. An i outside 0..Len()-1 is a bug of the caller.
func (p *Page) Line(i int) *port.Line { return &p.lines[i] }

// Lines returns all lines, in order, in a slice of the caller's own.
func (p *Page) Lines() []*port.Line {
	all := make([]*port.Line, len(p.lines))
	for i := range all {
		all[i] = &p.lines[i]
	}
	return all
}

// Retain adds a reference. The caller must hold one already.
func (p *Page) Retain() {
	if p.refs.Add(1) <= 1 {
		panic("BUG: hostmem: page retained after its last release")
	}
}

// Release gives a reference back. The last one unmaps the page, which takes as
// long as the system's unmap does.
func (p *Page) Release() {
	switch left := p.refs.Add(-1); {
	case left < 0:
		panic("BUG: hostmem: page released more often than retained")
	case left == 0:
		books.close(p)
		p.unmap()
	}
}

// Keep leaks the page on purpose: it stays mapped for ever, because something
// may still write to it, and moves from [Live] to [Kept]. The caller must hold
// a reference, and still releases it.
func (p *Page) Keep() {
	if p.kept.CompareAndSwap(false, true) {
		p.Retain()
		books.keep(p)
	}
}

func checkLines(lines int) error {
	if lines < 1 || lines > MaxLines {
		return port.NewError(port.OutOfRange, "number of lines",
			strconv.Itoa(lines), "1 to "+strconv.Itoa(MaxLines))
	}
	return nil
}

func mapError(lines int, cause error) error {
	return port.NewError(port.Backend, "mapping "+strconv.Itoa(lines)+" lines",
		"error").WithCause(cause)
}
