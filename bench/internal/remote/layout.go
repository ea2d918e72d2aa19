package remote

import (
	"gpureactor/internal/hostmem"
	"gpureactor/port"
)

// Bounds of a device.
const (
	// MaxStreams is the most streams that a device can have.
	MaxStreams = 1024
	// Depth is how many marks of one stream the child may be behind with.
	Depth = 16
)

// A layout says where things lie in the shared page, in lines:
//
//	0           of the child: the doorbell word
//	words       of the child's device: completion words, eight streams a line
//	stamps      of the child's device: store times, like the words
//	taken       of the child, one line a stream: how many commands it took
//	blocked     of the parent, one line a stream: the target slept for
//	commands    of the parent, Depth lines a stream
//
// Lines have one writer each, so the two sides never contend for one. (The
// completion words of eight streams share a line because that is how devices are
// used.)
type layout struct {
	page    *hostmem.Page
	streams int
}

// packed is the number of lines that hold one word for each stream.
func packed(streams int) int { return (streams + port.LineWords - 1) / port.LineWords }

// pageLines is the number of lines of the whole page.
func pageLines(streams int) int { return 1 + 2*packed(streams) + streams*(2+Depth) }

// first returns slot 0 of line i.
func (l layout) first(i int) port.Word { return l.page.Line(i).Word(port.Slot{}) }

// bell holds the number of the child's current sleep, 0 while it is awake.
func (l layout) bell() port.Word { return l.first(0) }

func (l layout) words() []*port.Line { return l.page.Lines()[1:][:packed(l.streams)] }

func (l layout) stamps() []*port.Line {
	return l.page.Lines()[1+packed(l.streams):][:packed(l.streams)]
}

// word returns stream i's word among lines that hold eight.
func word(lines []*port.Line, i int) port.Word {
	return slots(lines[i/port.LineWords])[i%port.LineWords]
}

// slots returns the words of a line, in order.
func slots(line *port.Line) [port.LineWords]port.Word {
	var all [port.LineWords]port.Word
	for i := range all {
		s, err := port.NewSlot(i)
		if err != nil {
			panic("BUG: remote: " + err.Error())
		}
		all[i] = line.Word(s)
	}
	return all
}

func (l layout) perStream(i int) int { return 1 + 2*packed(l.streams) + i*(2+Depth) }

func (l layout) taken(i int) port.Word   { return l.first(l.perStream(i)) }
func (l layout) blocked(i int) port.Word { return l.first(l.perStream(i) + 1) }

// commands returns those of stream i.
func (l layout) commands(i int) cells {
	var r cells
	for j := range r {
		s := slots(l.page.Line(l.perStream(i) + 2 + j))
		r[j] = cell{number: s[0], queued: s[1], busy: s[2]}
	}
	return r
}

// cells are a stream's commands, in a ring: command n, counted from 1, lies in cell
// n % Depth.
type cells [Depth]cell

// A cell is one command: keep the stream busy, then store the next number.
type cell struct {
	// number is that of the command, written last, with release order; its
	// partner is the child's load.
	number port.Word
	// queued is when it was queued, busy for how long the work runs, both in
	// nanoseconds.
	queued, busy port.Word
}

func (r *cells) cell(n uint64) *cell { return &r[n%Depth] }
