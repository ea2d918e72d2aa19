package soft

import (
	"slices"
	"strconv"

	"gpureactor/internal/hostmem"
	"gpureactor/port"
)

// pageLines is how many lines a page of the device's own has: one page of most
// systems, words for 512 streams.
const pageLines = 64

// words hands out completion words, eight to a line. The device's mutex guards
// it.
type words struct {
	lines, stamps []*port.Line
	given         bool // the lines are the caller's, and no more are made
	pages         []*hostmem.Page
	fresh         int    // words handed out for the first time
	back          []cell // words given back, the oldest first
	closed        bool
}

func newWords(lines, stamps []*port.Line) words {
	return words{lines: slices.Clone(lines), stamps: slices.Clone(stamps), given: len(lines) > 0}
}

// A cell is a word on loan to a stream.
type cell struct {
	word  port.Word
	stamp port.Word     // not valid without stamps
	page  *hostmem.Page // holds the word; nil for a given line
	// last is the highest number marked on the word.
	last uint64
}

// take lends a word. One that was given back comes first, and goes on from the
// last number marked on it even if its store was lost: a ticket of its former
// stream must not be reached by a mark of the new one.
func (w *words) take() (cell, error) {
	if len(w.back) > 0 {
		c := w.back[0]
		w.back = w.back[1:]
		c.word.Raise(c.last)
		return c.retain(), nil
	}
	if w.fresh == len(w.lines)*port.LineWords {
		if err := w.grow(); err != nil {
			return cell{}, err
		}
	}
	c := w.at(w.fresh)
	w.fresh++
	return c.retain(), nil
}

// grow maps another page, or refuses when the lines are the caller's.
func (w *words) grow() error {
	if w.given {
		return port.NewError(port.OutOfRange, "number of streams", strconv.Itoa(w.fresh+1),
			"at most "+strconv.Itoa(w.fresh)+", the words of Config.Lines")
	}
	page, err := hostmem.New(pageLines)
	if err != nil {
		return err
	}
	w.pages = append(w.pages, page)
	w.lines = append(w.lines, page.Lines()...)
	return nil
}

// at returns fresh word i.
func (w *words) at(i int) cell {
	slot, err := port.NewSlot(i % port.LineWords)
	if err != nil {
		panic("BUG: soft: " + err.Error())
	}
	line := i / port.LineWords
	c := cell{word: w.lines[line].Word(slot)}
	c.last = c.word.Load()
	if len(w.stamps) > 0 {
		c.stamp = w.stamps[line].Word(slot)
	}
	if !w.given {
		c.page = w.pages[line/pageLines]
	}
	return c
}

// retain keeps the cell's page until release.
func (c cell) retain() cell {
	if c.page != nil {
		c.page.Retain()
	}
	return c
}

func (c cell) release() {
	if c.page != nil {
		c.page.Release()
	}
}

// giveBack makes c free for another stream.
func (w *words) giveBack(c cell) {
	if !w.closed {
		w.back = append(w.back, c)
	}
}

// close releases the pages or keeps them on purpose, and returns how many bytes
// it kept. Streams whose source is still acquired hold their page themselves.
func (w *words) close(keep bool) (kept int64) {
	w.closed = true
	for _, p := range w.pages {
		if keep {
			p.Keep()
			kept += int64(p.Len()) * port.LineBytes
		}
		p.Release()
	}
	w.pages, w.back = nil, nil
	return kept
}
