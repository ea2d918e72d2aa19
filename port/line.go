package port

import (
	"strconv"
	"sync/atomic"
)

const (
	// LineWords is the number of words in a line.
	LineWords = 8
	// LineBytes is the size and the alignment of a line in bytes: the cache
	// line, which is also the granule of hardware monitors.
	LineBytes = 64
)

// A Line is 64 bytes of memory that a device can write: eight completion words.
// Any store into the line may end a hardware wait armed on it, so one waiter
// serves up to eight streams.
//
// A device needs the line 64-byte aligned in mapped memory: backends take lines
// from pages for that. The zero value is a line whose words are all 0. A Line
// must not be copied.
type Line struct {
	words [LineWords]atomic.Uint64
}

// The size holds at compile time; Go cannot state an alignment above 8, so page
// allocators place lines at multiples of LineBytes and check the first one.
var _ [LineBytes]byte = [len(Line{}.words) * 8]byte{}

// Word returns the word in slot s.
func (l *Line) Word(s Slot) Word { return Word{line: l, slot: s} }

// A Slot is the index of a word in its line, 0 to 7. The zero value is slot 0;
// no Slot is out of range.
type Slot struct{ index uint8 }

// NewSlot returns slot i. It refuses every i outside 0..7 with [ErrInvalidSlot].
func NewSlot(i int) (Slot, error) {
	if i < 0 || i >= LineWords {
		return Slot{}, NewError(InvalidSlot, strconv.Itoa(i))
	}
	return Slot{index: uint8(i)}, nil
}

// Index returns the slot's index, 0 to 7.
func (s Slot) Index() int { return int(s.index) }

// A Word is one completion word: a slot of a line. Words are comparable; two are
// equal when they name the same memory. The zero Word is not valid.
type Word struct {
	line *Line
	slot Slot
}

// Valid reports whether w names memory.
func (w Word) Valid() bool { return w.line != nil }

// Line returns the line that holds the word, nil for the zero Word.
func (w Word) Line() *Line { return w.line }

// Slot returns the word's place in its line.
func (w Word) Slot() Slot { return w.slot }

// Load reads the word with acquire order: what the device wrote before the store
// that Load sees is visible to the caller afterwards. Its partner is the device's
// store, or [Word.Store].
func (w Word) Load() uint64 { return w.line.words[w.slot.index].Load() }

// Store writes the word with release order: the partner of [Word.Load]. Only the
// owner of the word calls it: a software device, the initialisation of a page, or
// a [Peeker] that mirrors its device.
func (w Word) Store(v uint64) { w.line.words[w.slot.index].Store(v) }

// Raise lifts the word to v unless it stands there or beyond, in wrapping order,
// and reports whether it moved. Several goroutines may raise one word.
func (w Word) Raise(v uint64) bool {
	cell := &w.line.words[w.slot.index]
	for {
		old := cell.Load()
		if Reached(old, v) {
			return false
		}
		if cell.CompareAndSwap(old, v) {
			return true
		}
	}
}
