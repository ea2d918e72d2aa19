package waitplan

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

func micros(d time.Duration) int64 { return int64(d / time.Microsecond) }

// A field is a key with the bounds of its number, in microseconds.
type field struct {
	key         string
	least, most int64
	into        *time.Duration
	seen        bool
	at          int // where the number stands, once seen
}

// fields reads key=N pairs as long as commas follow, and wants each field once.
func (p *parser) fields(fields []field) {
	p.field(fields)
	for p.take(",") {
		p.field(fields)
	}
	if key := missing(fields); key != "" {
		p.fail(p.at, "missing %s", key)
	}
}

// missing names the first field that was not seen, "" when all were.
func missing(fields []field) string {
	for _, f := range fields {
		if !f.seen {
			return f.key
		}
	}
	return ""
}

// field reads one pair into the field that has its key.
func (p *parser) field(fields []field) {
	if p.err != nil {
		return
	}
	start := p.at
	key := p.word()
	i := slices.IndexFunc(fields, func(f field) bool { return f.key == key })
	switch {
	case i >= 0 && fields[i].seen:
		p.fail(start, "%s is given twice", key)
	case i >= 0:
		p.value(&fields[i])
	case key == "" && missing(fields) != "":
		p.fail(start, "missing %s", missing(fields))
	case key == "":
		p.fail(start, "nothing after the comma, want no comma")
	default:
		p.fail(start, "unknown key %q, want %s", clip(key, 40), keys(fields))
	}
}

// value reads "=N" into f.
func (p *parser) value(f *field) {
	if !p.take("=") {
		p.fail(p.at, "%s wants =N", f.key)
		return
	}
	f.seen, f.at = true, p.at
	*f.into = time.Duration(p.number(f)) * time.Microsecond
}

func keys(fields []field) string {
	var names []string
	for _, f := range fields {
		names = append(names, f.key)
	}
	return strings.Join(names, ", ")
}

// number reads decimal digits within the field's bounds.
func (p *parser) number(f *field) int64 {
	start := p.at
	digits := p.digits()
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case digits == "":
		p.fail(start, "%s wants a whole number of decimal digits", f.key)
	case len(digits) > 1 && digits[0] == '0':
		p.fail(start, "%s has a leading zero", f.key)
	case err != nil || n < f.least || n > f.most:
		p.fail(start, "%s is %s, want %d to %d", f.key, clip(digits, 40), f.least, f.most)
	}
	return n
}

func (p *parser) digits() string {
	start := p.at
	for p.at < p.end && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return p.text[start:p.at]
}
