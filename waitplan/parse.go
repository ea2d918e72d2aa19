package waitplan

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"gpureactor/deadline"
	"gpureactor/port"
)

// A SyntaxError says where a text stops being a plan. It is wrapped by the errors
// of Parse and ParseBands.
type SyntaxError struct {
	// Text is what was parsed.
	Text string
	// Offset is the byte at which the fault begins, 0 to len(Text).
	Offset int
	// Fault is the first thing wrong, and what is allowed instead.
	Fault string
}

// Error names the place alone: the error that wraps it has the text and the fault.
func (e *SyntaxError) Error() string { return fmt.Sprintf("at byte %d", e.Offset) }

// invalid returns the error for a text with a fault at an offset.
func invalid(text string, offset int, fault string) error {
	return port.NewError(port.InvalidPlan, strconv.Quote(clip(text, 200)), fault).
		WithCause(&SyntaxError{Text: text, Offset: offset, Fault: fault})
}

// clip shortens what an error repeats of its input.
func clip(s string, longest int) string {
	if len(s) <= longest {
		return s
	}
	return s[:longest] + "..."
}

// Parse reads a plan. See the package comment for the grammar.
func Parse(text string) (Plan, error) {
	p := parser{text: text, end: len(text)}
	plan := p.plan()
	if p.err != nil {
		return Plan{}, p.err
	}
	return plan, nil
}

// A parser walks over a text once, from at to end. The first fault stays in err
// and stops everything after it.
type parser struct {
	text    string
	at, end int
	err     error
}

func (p *parser) fail(offset int, format string, args ...any) {
	if p.err == nil {
		p.err = invalid(p.text, offset, fmt.Sprintf(format, args...))
	}
}

// take moves over prefix if the rest of the text begins with it.
func (p *parser) take(prefix string) bool {
	if p.err != nil || !strings.HasPrefix(p.text[p.at:p.end], prefix) {
		return false
	}
	p.at += len(prefix)
	return true
}

// word moves over letters, digits and underscores and returns them.
func (p *parser) word() string {
	start := p.at
	for p.at < p.end && isWord(p.text[p.at]) {
		p.at++
	}
	return p.text[start:p.at]
}

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// plan reads a plan up to the end.
func (p *parser) plan() Plan {
	plan := p.park()
	if p.take("+predict:") {
		p.predict(&plan)
	}
	if p.take("+confirm=status") {
		plan.Confirm = true
	}
	switch {
	case p.err != nil:
	case p.at < p.end:
		p.fail(p.at, "unexpected %q, want the end%s", clip(p.text[p.at:p.end], 40), suffixes(plan))
	}
	return plan
}

// suffixes says what else could follow a plan.
func suffixes(plan Plan) string {
	switch {
	case plan.Park == Block:
		return ": block takes no prediction and no confirm"
	case plan.Confirm:
		return ""
	case plan.Predict:
		return " or +confirm=status"
	}
	return ", +predict:... or +confirm=status"
}

// park reads the part before the suffixes.
func (p *parser) park() Plan {
	start := p.at
	switch word := p.word(); word {
	case "block":
		if strings.HasPrefix(p.text[p.at:p.end], "+") {
			p.fail(p.at, "block takes no prediction and no confirm")
		}
		return Plan{Park: Block}
	case "poll":
		return Plan{Park: Poll}
	case "flag":
		return p.flag()
	case "":
		p.fail(start, "empty plan, want block, poll or flag:...")
	default:
		p.fail(start, "unknown plan %q, want block, poll or flag:...", clip(word, 40))
	}
	return Plan{}
}

func (p *parser) flag() Plan {
	plan := Plan{Park: Flag}
	if !p.take(":") {
		p.fail(p.at, "flag wants :park_us=N,backstop_us=N")
	}
	p.fields([]field{
		{key: "park_us", least: 1, most: micros(MaxPark), into: &plan.ParkFor},
		{key: "backstop_us", least: 1, most: micros(MaxBackstop), into: &plan.Backstop},
	})
	return plan
}

func (p *parser) predict(plan *Plan) {
	plan.Predict = true
	start := p.at
	var window time.Duration
	d := &plan.Deadline
	p.fields([]field{
		{key: "margin_us", most: micros(MaxSleep), into: &d.Margin},
		{key: "min_sleep_us", most: micros(MaxSleep), into: &d.MinSleep},
		{key: "max_sleep_us", most: micros(MaxSleep), into: &d.MaxSleep},
		{key: "window", least: 1, most: deadline.MaxWindow, into: &window},
	})
	d.Window = uint8(window / time.Microsecond)
	if d.MinSleep > d.MaxSleep {
		p.fail(start, "min_sleep_us is %d, want at most max_sleep_us, which is %d", micros(d.MinSleep), micros(d.MaxSleep))
	}
}

func micros(d time.Duration) int64 { return int64(d / time.Microsecond) }

// A field is a key with the bounds of its number, in microseconds.
type field struct {
	key         string
	least, most int64
	into        *time.Duration
	seen        bool
}

// fields reads key=N pairs until every field was seen.
func (p *parser) fields(fields []field) {
	for n := range fields {
		if n > 0 && !p.take(",") {
			p.fail(p.at, "missing %s", missing(fields))
		}
		if p.err == nil {
			p.field(fields)
		}
	}
}

// missing names the first field that was not seen.
func missing(fields []field) string {
	for _, f := range fields {
		if !f.seen {
			return f.key
		}
	}
	return ""
}

func (p *parser) field(fields []field) {
	start := p.at
	key := p.word()
	for i := range fields {
		f := &fields[i]
		if f.key != key {
			continue
		}
		if f.seen {
			p.fail(start, "%s is given twice", key)
			return
		}
		if !p.take("=") {
			p.fail(p.at, "%s wants =N", key)
			return
		}
		f.seen = true
		*f.into = time.Duration(p.number(f)) * time.Microsecond
		return
	}
	if key == "" {
		p.fail(start, "missing %s", missing(fields))
		return
	}
	p.fail(start, "unknown key %q, want %s", clip(key, 40), keys(fields))
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
