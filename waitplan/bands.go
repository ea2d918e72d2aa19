package waitplan

import (
	"flag"
	"math"
	"strconv"
	"strings"
)

// MaxBands is the largest number of bands.
const MaxBands = 4

// Bands choose a plan by the number of rows, the batch size, of the current step.
// The first band starts at 0 rows, each other one at its edge, and the edges rise
// strictly. Bands are values, compared with ==. The zero Bands hold no plan.
type Bands struct {
	n     int
	edges [MaxBands]uint32
	plans [MaxBands]Plan
}

var _ flag.Value = (*Bands)(nil)

// One returns bands with a single plan for any number of rows.
func One(p Plan) Bands { return Bands{n: 1, plans: [MaxBands]Plan{p}} }

// ParseBands reads "<plan>" or "<plan>;rows>=N:<plan>;...", with at most MaxBands
// plans and edges from 1 to 4294967295.
func ParseBands(text string) (Bands, error) {
	p := parser{text: text}
	var b Bands
	for {
		p.end = len(text)
		if i := strings.IndexByte(text[p.at:], ';'); i >= 0 {
			p.end = p.at + i
		}
		p.band(&b)
		if p.err != nil {
			return Bands{}, p.err
		}
		if p.end == len(text) {
			return b, nil
		}
		p.at = p.end + 1
	}
}

// band reads one band up to the end.
func (p *parser) band(b *Bands) {
	if b.n == MaxBands {
		p.fail(p.at, "more than %d bands", MaxBands)
		return
	}
	var edge uint32
	if b.n > 0 {
		edge = p.edge(b.edges[b.n-1])
	}
	plan := p.plan()
	b.edges[b.n], b.plans[b.n] = edge, plan
	b.n++
}

// edge reads "rows>=N:" with an N above the edge before.
func (p *parser) edge(before uint32) uint32 {
	if !p.take("rows>=") {
		p.fail(p.at, "a band after the first wants rows>=N:<plan>")
		return 0
	}
	start := p.at
	n := p.number(&field{key: "rows", least: 1, most: math.MaxUint32})
	if p.err == nil && n <= int64(before) {
		p.fail(start, "rows is %d, want more than %d, the edge before it", n, before)
	}
	if p.err == nil && !p.take(":") {
		p.fail(p.at, "rows>=%d wants :<plan>", n)
	}
	return uint32(n)
}

// Len returns the number of bands.
func (b Bands) Len() int { return b.n }

// Band returns the edge and the plan of band i. It panics when i is out of range,
// as an index of a slice does.
func (b Bands) Band(i int) (from uint32, p Plan) {
	return b.edges[:b.n][i], b.plans[:b.n][i]
}

// Index returns the band that holds rows, -1 for the zero Bands.
func (b Bands) Index(rows uint32) int {
	i := b.n - 1
	for i > 0 && rows < b.edges[i] {
		i--
	}
	return i
}

// Select returns the plan for rows, the zero Plan for the zero Bands.
func (b Bands) Select(rows uint32) Plan { return b.plans[max(b.Index(rows), 0)] }

// String returns the bands' text, which ParseBands reads back to equal bands.
func (b Bands) String() string {
	var t []byte
	for i := range b.n {
		if i > 0 {
			t = strconv.AppendUint(append(t, ";rows>="...), uint64(b.edges[i]), 10)
			t = append(t, ':')
		}
		t = b.plans[i].appendText(t)
	}
	return string(t)
}

// MarshalText returns the bands' text; the zero Bands are refused with
// port.InvalidPlan, and so is a plan that is not valid.
func (b Bands) MarshalText() ([]byte, error) {
	if b.n == 0 {
		return nil, errNoBands()
	}
	for _, p := range b.plans[:b.n] {
		if err := p.Validate(); err != nil {
			return nil, err
		}
	}
	return []byte(b.String()), nil
}

func errNoBands() error { return invalid("", 0, "no bands, want at least one plan") }

// UnmarshalText parses text. On an error the bands are left as they were.
func (b *Bands) UnmarshalText(text []byte) error {
	parsed, err := ParseBands(string(text))
	if err == nil {
		*b = parsed
	}
	return err
}

// Set parses text, for package flag. On an error the bands are left as they were.
func (b *Bands) Set(text string) error { return b.UnmarshalText([]byte(text)) }
