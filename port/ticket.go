package port

import "strconv"

// Reached reports whether a word that reads word has come to target. The
// comparison wraps: the signed distance is not negative. Numbers may thus run
// over the end of uint64 as long as no more than 2^63-1 marks are outstanding.
func Reached(word, target uint64) bool { return int64(word-target) >= 0 }

// A Ticket names one mark: a word and the number it will rise to. Tickets are
// comparable values. The zero Ticket belongs to no source.
type Ticket struct {
	word   Word
	target uint64
}

// NewTicket returns the ticket for target on w.
func NewTicket(w Word, target uint64) Ticket { return Ticket{word: w, target: target} }

// Valid reports whether the ticket belongs to a word.
func (t Ticket) Valid() bool { return t.word.Valid() }

// Word returns the word that is waited for.
func (t Ticket) Word() Word { return t.word }

// Target returns the number that the word must reach.
func (t Ticket) Target() uint64 { return t.target }

// Reached loads the word once, with acquire order, and reports whether it has
// come to the target. For a [Peeker] it tells what the last Peek saw.
func (t Ticket) Reached() bool { return Reached(t.word.Load(), t.target) }

// String names the slot and the target, for logs.
func (t Ticket) String() string {
	if !t.Valid() {
		return "ticket(none)"
	}
	return "ticket(slot " + strconv.Itoa(t.word.slot.Index()) +
		", target " + strconv.FormatUint(t.target, 10) + ")"
}
