package waitplan

import (
	"fmt"
	"strings"
	"time"

	"gpureactor/deadline"
)

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

// found says what stands where something else was wanted; nothing if the text
// ends there.
func (p *parser) found(nothing string) string {
	if p.at == p.end {
		return nothing
	}
	return fmt.Sprintf("unexpected %q", clip(p.text[p.at:p.end], 40))
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
		p.fail(p.at, "%s, want the end%s", p.found(""), suffixes(plan))
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
		p.fail(start, "%s, want block, poll or flag:...", p.found("empty plan"))
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
	var window time.Duration
	d := &plan.Deadline
	fields := []field{
		{key: "margin_us", most: micros(MaxSleep), into: &d.Margin},
		{key: "min_sleep_us", most: micros(MaxSleep), into: &d.MinSleep},
		{key: "max_sleep_us", most: micros(MaxSleep), into: &d.MaxSleep},
		{key: "window", least: 1, most: deadline.MaxWindow, into: &window},
	}
	p.fields(fields)
	d.Window = uint8(micros(window))
	if d.MinSleep > d.MaxSleep {
		// The text goes wrong at the later one of the two.
		p.fail(max(fields[1].at, fields[2].at), "min_sleep_us is %d, want at most max_sleep_us, which is %d",
			micros(d.MinSleep), micros(d.MaxSleep))
	}
}
