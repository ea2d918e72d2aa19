package workload

import (
	"strconv"
	"strings"
	"time"

	"gpureactor/port"
)

// Parse reads a workload. It refuses every other text with ErrInvalidConfig: the
// error names the text and the first thing wrong with it, or the forms there are.
func Parse(text string) (Workload, error) {
	name, rest, _ := strings.Cut(text, ":")
	p := parser{text: text, fields: strings.Split(rest, ":")}
	w := Workload{}
	switch name {
	case "const":
		w.Kind, w.A = Const, p.duration("D")
	case "jitter":
		w.Kind, w.A, w.Percent = Jitter, p.duration("D"), p.percent()
	case "bimodal":
		w.Kind, w.A, w.B, w.Percent = Bimodal, p.duration("A"), p.duration("B"), p.percent()
	case "drift":
		w.Kind, w.A, w.B, w.Steps = Drift, p.duration("A"), p.duration("B"), p.steps()
	default:
		return Workload{}, port.NewError(port.InvalidConfig, "workload", strconv.Quote(text), forms())
	}
	if err := p.end(); err != nil {
		return Workload{}, err
	}
	return w, nil
}

// String returns a text in ASCII that [Parse] reads as w.
func (w Workload) String() string {
	a, b, percent := plain(w.A), plain(w.B), strconv.Itoa(w.Percent)+"%"
	switch w.Kind {
	case Const:
		return "const:" + a
	case Jitter:
		return "jitter:" + a + ":" + percent
	case Bimodal:
		return "bimodal:" + a + ":" + b + ":" + percent
	case Drift:
		return "drift:" + a + ":" + b + ":" + strconv.Itoa(w.Steps)
	}
	return "workload(none)"
}

// plain writes microseconds as "us": names of benchmarks are better without "µ".
func plain(d time.Duration) string { return strings.Replace(d.String(), "µ", "u", 1) }

func forms() string {
	var texts []string
	for _, f := range Forms() {
		texts = append(texts, f.Text)
	}
	return strings.Join(texts, ", ")
}

// A parser takes the fields of one text in order and keeps the first fault.
type parser struct {
	text   string
	fields []string
	fault  error
}

// next returns the next field; a missing one reads as empty.
func (p *parser) next() string {
	if len(p.fields) == 0 {
		return ""
	}
	field := p.fields[0]
	p.fields = p.fields[1:]
	return field
}

func (p *parser) refuse(name, field, want string) {
	if p.fault == nil {
		p.fault = port.NewError(port.InvalidConfig, name+" of workload "+strconv.Quote(p.text),
			strconv.Quote(field), want)
	}
}

func (p *parser) duration(name string) time.Duration {
	field := p.next()
	d, err := time.ParseDuration(field)
	if err != nil || d < MinDuration || d > MaxDuration {
		p.refuse(name, field, "a duration from "+plain(MinDuration)+" to "+plain(MaxDuration))
	}
	return d
}

func (p *parser) percent() int {
	field := p.next()
	digits, ok := strings.CutSuffix(field, "%")
	n, err := strconv.ParseUint(digits, 10, 8)
	if !ok || err != nil || n > 100 {
		p.refuse("P", field, "a whole percentage from 0% to 100%")
	}
	return int(n)
}

func (p *parser) steps() int {
	field := p.next()
	n, err := strconv.ParseUint(field, 10, 32)
	if err != nil || n < 1 || n > MaxSteps {
		p.refuse("N", field, "a number of steps from 1 to "+strconv.Itoa(MaxSteps))
	}
	return int(n)
}

// end refuses what is left over.
func (p *parser) end() error {
	if len(p.fields) > 0 {
		p.refuse("end", strings.Join(p.fields, ":"), "nothing more")
	}
	return p.fault
}
