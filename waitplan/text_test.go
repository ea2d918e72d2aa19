package waitplan_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"gpureactor/deadline"
	"gpureactor/internal/testmain"
	"gpureactor/port"
	"gpureactor/waitplan"
)

func TestMain(m *testing.M) { testmain.Main(m) }

const flagText = "flag:park_us=100,backstop_us=1000"

// measured are the plans that the reference calls its measured arms.
var measured = []string{
	"block",
	"poll",
	"poll+predict:margin_us=150,min_sleep_us=20,max_sleep_us=50000,window=8",
	flagText,
	predictText,
}

func TestEveryMeasuredPlanRoundTripsToTheLetter(t *testing.T) {
	for _, text := range append(measured, "poll+confirm=status", predictText+"+confirm=status") {
		p, err := waitplan.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if p.String() != text {
			t.Errorf("%q came back as %q", text, p)
		}
		if again := *plan(t, p.String()); again != p {
			t.Errorf("%q is another plan when read again", text)
		}
	}
	want := waitplan.Plan{
		Park: waitplan.Flag, ParkFor: 100 * us, Backstop: 1000 * us, Predict: true,
		Deadline: deadline.Rule{Margin: 150 * us, MinSleep: 20 * us, MaxSleep: 50 * ms, Window: 8},
	}
	if got := *plan(t, predictText); got != want {
		t.Errorf("parsed %+v", got)
	}
}

func TestKeysMayStandInAnyOrder(t *testing.T) {
	got := *plan(t, "flag:backstop_us=1000,park_us=100+predict:window=8,max_sleep_us=50000,margin_us=150,min_sleep_us=20")
	if got.String() != predictText {
		t.Fatalf("%q", got)
	}
}

func TestEdgesOfEveryBound(t *testing.T) {
	const predict = "poll+predict:margin_us=%s,min_sleep_us=%s,max_sleep_us=%s,window=%s"
	p := func(a, b, c, d string) string { return fmt.Sprintf(predict, a, b, c, d) }
	for text, good := range map[string]bool{
		"flag:park_us=0,backstop_us=1":                             false,
		"flag:park_us=1,backstop_us=1":                             true,
		"flag:park_us=10000,backstop_us=1000000":                   true,
		"flag:park_us=10001,backstop_us=1":                         false,
		"flag:park_us=1,backstop_us=0":                             false,
		"flag:park_us=1,backstop_us=1000001":                       false,
		"flag:park_us=9223372036854775807,backstop_us=1":           false,
		"flag:park_us=9223372036854775808,backstop_us=1":           false,
		"flag:park_us=99999999999999999999999999,backstop_us=1":    false,
		p("0", "0", "0", "1"):                                      true,
		p("3600000000", "3600000000", "3600000000", "16"):          true,
		p("3600000001", "0", "0", "1"):                             false,
		p("0", "3600000001", "3600000001", "1"):                    false,
		p("0", "0", "3600000001", "1"):                             false,
		p("0", "21", "20", "1"):                                    false,
		p("0", "20", "20", "1"):                                    true,
		p("0", "0", "0", "0"):                                      false,
		p("0", "0", "0", "17"):                                     false,
		p("0", "0", "0", "256"):                                    false,
		p("0", "0", "0", "257"):                                    false,
		"poll;rows>=1:poll":                                        true,
		"poll;rows>=0:poll":                                        false,
		"poll;rows>=4294967295:poll":                               true,
		"poll;rows>=4294967296:poll":                               false,
		"poll;rows>=2:poll;rows>=2:poll":                           false,
		"poll;rows>=2:poll;rows>=1:poll":                           false,
		"poll;rows>=2:poll;rows>=3:poll;rows>=4:poll":              true,
		"poll;rows>=2:poll;rows>=3:poll;rows>=4:poll;rows>=5:poll": false,
	} {
		b, err := waitplan.ParseBands(text)
		if (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
		if good && b.String() != text {
			t.Errorf("%q came back as %q", text, b)
		}
	}
}

func TestFirstFaultIsNamedWithItsOffset(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
		fault  string
	}{
		{"", 0, "empty plan"},
		{"spin", 0, `unknown plan "spin"`},
		{" poll", 0, `unexpected " poll", want block`},
		{"Poll", 0, `unknown plan "Poll"`},
		{"poll\x00", 4, "unexpected"},
		{"poll ", 4, "unexpected"},
		{"pollpoll", 0, "unknown plan"},
		{"block+predict:margin_us=1,min_sleep_us=1,max_sleep_us=1,window=1", 5, "block takes no prediction"},
		{"block+confirm=status", 5, "no confirm"},
		{"flag", 4, "flag wants :park_us"},
		{"flag:", 5, "missing park_us"},
		{"flag:park_us", 12, "park_us wants =N"},
		{"flag:park_us=", 13, "decimal digits"},
		{"flag:park_us=-1,backstop_us=1", 13, "decimal digits"},
		{"flag:park_us=+1,backstop_us=1", 13, "decimal digits"},
		{"flag:park_us=1e3,backstop_us=1", 14, "missing backstop_us"},
		{"flag:park_us=01,backstop_us=1", 13, "leading zero"},
		{"flag:park_us=1", 14, "missing backstop_us"},
		{"flag:park_us=1,", 15, "missing backstop_us"},
		{"flag:park_us=1,park_us=2", 15, "park_us is given twice"},
		{"flag:park_us=1,parked_us=2", 15, `unknown key "parked_us"`},
		{"flag:park_us=1,backstop_us=1,park_us=1", 29, "park_us is given twice"},
		{"flag:park_us=1,backstop_us=1,window=1", 29, `unknown key "window"`},
		{"flag:park_us=1,backstop_us=1,", 29, "nothing after the comma"},
		{"flag:park_us=1,,backstop_us=1", 15, "missing backstop_us"},
		{"flag:park_us=1;backstop_us=1", 14, "missing backstop_us"},
		{"flag:park_us=1,backstop_us=1 ", 28, "unexpected"},
		{"flag:park_us=\u0661,backstop_us=1", 13, "decimal digits"},
		{"flag:park_us=10001,backstop_us=1", 13, "park_us is 10001, want 1 to 10000"},
		{"poll+predict", 4, "unexpected"},
		{"poll+predict:", 13, "missing margin_us"},
		{"poll+predict:margin_us=1,min_sleep_us=3,max_sleep_us=2,window=1", 53, "min_sleep_us is 3, want at most max_sleep_us, which is 2"},
		{"poll+predict:max_sleep_us=2,min_sleep_us=3,margin_us=1,window=1", 41, "min_sleep_us is 3"},
		{"poll+predict:margin_us=1,min_sleep_us=3,max_sleep_us=2,window=0", 62, "window is 0, want 1 to 16"},
		{"poll+predict:margin_us=1,max_sleep_us=2,window=1", 48, "missing min_sleep_us"},
		{"poll+predict:margin_us=1,min_sleep_us=1,max_sleep_us=2", 54, "missing window"},
		{"poll+predict:margin_us=1,min_sleep_us=1,max_sleep_us=2,window=1,window=1", 64, "window is given twice"},
		{"poll+predict:margin_us=1,min_sleep_us=1,max_sleep_us=2,window=1,park_us=1", 64, "unknown key"},
		{"poll+predict:margin_us=1,min_sleep_us=1,max_sleep_us=2,window=1+predict:", 63, "unexpected"},
		{"poll+confirm=status+confirm=status", 19, "unexpected"},
		{"poll+confirm=statuses", 19, "unexpected"},
		{"poll+confirm=status+predict:margin_us=1,min_sleep_us=1,max_sleep_us=1,window=1", 19, "unexpected"},
		{"poll+confirm=word", 4, "unexpected"},
		{"poll;", 5, "a band after the first wants rows>=N"},
		{"poll;poll", 5, "a band after the first wants rows>=N"},
		{"poll;rows>=:poll", 11, "decimal digits"},
		{"poll;rows>=2", 12, "rows>=2 wants :<plan>"},
		{"poll;rows>=2:", 13, "empty plan"},
		{"poll;rows>=2:poll;rows>=2:poll", 24, "want more than 2"},
		{";poll", 0, "empty plan"},
		{"poll;rows>=1:poll;rows>=2:poll;rows>=3:poll;rows>=4:poll", 44, "more than 4 bands"},
	} {
		_, err := waitplan.ParseBands(c.text)
		var syntax *waitplan.SyntaxError
		if !errors.Is(err, port.ErrInvalidPlan) || !errors.As(err, &syntax) {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if syntax.Offset != c.offset || !strings.Contains(err.Error(), c.fault) || syntax.Text != c.text {
			t.Errorf("%q: offset %d, want %d: %v", c.text, syntax.Offset, c.offset, err)
		}
	}
	if _, err := waitplan.Parse("poll;rows>=2:poll"); err == nil {
		t.Error("Parse took bands for a plan")
	}
	if _, err := waitplan.Parse(strings.Repeat("x", 1<<20)); err == nil || len(err.Error()) > 1000 {
		t.Error("a huge text is repeated whole in its error")
	}
}

func TestWrittenPlansAreCheckedByTheSameBounds(t *testing.T) {
	good := *plan(t, predictText)
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*waitplan.Plan){
		"zero":                func(p *waitplan.Plan) { *p = waitplan.Plan{} },
		"unknown park":        func(p *waitplan.Plan) { p.Park = 99 },
		"no park time":        func(p *waitplan.Plan) { p.ParkFor = 0 },
		"half a microsecond":  func(p *waitplan.Plan) { p.ParkFor += us / 2 },
		"long backstop":       func(p *waitplan.Plan) { p.Backstop = time.Second + us },
		"negative margin":     func(p *waitplan.Plan) { p.Deadline.Margin = -us },
		"min above max":       func(p *waitplan.Plan) { p.Deadline.MinSleep = time.Second },
		"window 0":            func(p *waitplan.Plan) { p.Deadline.Window = 0 },
		"rule, no predict":    func(p *waitplan.Plan) { p.Predict = false },
		"block with the rest": func(p *waitplan.Plan) { p.Park = waitplan.Block },
		"block that confirms": func(p *waitplan.Plan) { *p = waitplan.Plan{Park: waitplan.Block, Confirm: true} },
		"poll with a park":    func(p *waitplan.Plan) { *p = waitplan.Plan{Park: waitplan.Poll, ParkFor: us} },
	} {
		p := good
		change(&p)
		if err := p.Validate(); !errors.Is(err, port.ErrInvalidPlan) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := p.MarshalText(); err == nil {
			t.Errorf("%s: was marshalled", name)
		}
	}
}

func TestTextFormsOfPlansAndBands(t *testing.T) {
	ruled := "block;rows>=32:" + predictText
	var set struct {
		Plan  waitplan.Plan
		Bands waitplan.Bands
	}
	if err := json.Unmarshal([]byte(`{"Plan":"poll","Bands":"`+ruled+`"}`), &set); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(set)
	if err != nil || string(out) != `{"Plan":"poll","Bands":"`+strings.ReplaceAll(ruled, ">", `\u003e`)+`"}` {
		t.Fatalf("%s, %v", out, err)
	}
	fs := flag.NewFlagSet("x", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Var(&set.Plan, "plan", "")
	fs.Var(&set.Bands, "bands", "")
	if err := fs.Parse([]string{"-plan", "nonsense"}); err == nil || set.Plan.Park != waitplan.Poll {
		t.Fatalf("%v, plan %v: a refused text must change nothing", err, set.Plan)
	}
	if err := fs.Parse([]string{"-bands", "nonsense"}); err == nil || set.Bands.String() != ruled {
		t.Fatalf("%v, bands %v: a refused text must change nothing", err, set.Bands)
	}
	if err := fs.Parse([]string{"-plan", predictText, "-bands", flagText}); err != nil || set.Bands != waitplan.One(*plan(t, flagText)) {
		t.Fatal(err)
	}
	if _, err := (waitplan.Bands{}).MarshalText(); err == nil {
		t.Error("no bands were marshalled")
	}
}

func TestBandsSelectByRows(t *testing.T) {
	three := "block;rows>=2:poll;rows>=5:" + predictText
	ruled := "block;rows>=32:" + predictText
	for _, c := range []struct {
		text string
		want map[waitplan.Park][]uint32
	}{
		{ruled, map[waitplan.Park][]uint32{
			waitplan.Block: {0, 1, 4, 8, 16, 17, 31},
			waitplan.Flag:  {32, 33, 64, 128, math.MaxUint32},
		}},
		{three, map[waitplan.Park][]uint32{waitplan.Block: {0, 1}, waitplan.Poll: {2, 3, 4}, waitplan.Flag: {5, 6}}},
	} {
		b, err := waitplan.ParseBands(c.text)
		if err != nil {
			t.Fatal(err)
		}
		for park, all := range c.want {
			for _, rows := range all {
				if got := b.Select(rows); got.Park != park {
					t.Errorf("%d rows select %v, want %v", rows, got, park)
				}
			}
		}
	}
	var rows waitplan.Rows
	if rows.Current() != 0 {
		t.Error("rows before the first step")
	}
	if rows.Publish(7); rows.Current() != 7 {
		t.Error("published rows are not read")
	}
}

func TestFallbackIsWalkedOnceWithACodedWarning(t *testing.T) {
	none := waitplan.Caps{NoWordWait: "no such driver"}
	for _, c := range []struct {
		text, runs string
		caps       waitplan.Caps
		warned     bool
	}{
		{flagText, flagText, waitplan.Caps{}, false},
		{flagText, "poll", none, true},
		{predictText, "poll" + predictText[len(flagText):], none, true},
		{predictText + "+confirm=status", "poll" + predictText[len(flagText):] + "+confirm=status", none, true},
		{"poll", "poll", none, false},
		{"block", "block", none, false},
	} {
		r, err := waitplan.Resolve(*plan(t, c.text), c.caps, false)
		if err != nil || r.Running.String() != c.runs || (r.Warning != nil) != c.warned {
			t.Errorf("%q: %v, %v, warning %v", c.text, r.Running, err, r.Warning)
			continue
		}
		if !c.warned {
			continue
		}
		w := r.Warning
		if w.Code != port.ParkFallback || w.Args[0] != c.text || w.Args[1] != "device-word-wait" ||
			w.Args[2] != "no such driver" || w.Args[3] != c.runs || !strings.Contains(r.String(), c.text) {
			t.Errorf("%q: warning %v, string %q", c.text, w, r)
		}
		if _, err := waitplan.Resolve(*plan(t, c.text), c.caps, true); !errors.Is(err, port.PlanRefused) {
			t.Errorf("%q under strict: %v", c.text, err)
		}
	}
	b, _ := waitplan.ParseBands("block;rows>=2:poll;rows>=5:" + flagText)
	rb, err := waitplan.ResolveBands(b, none, false)
	if err != nil || rb.Running().String() != "block;rows>=2:poll;rows>=5:poll" || len(rb.Warnings()) != 1 {
		t.Errorf("%v, %v", rb, err)
	}
	if _, err := waitplan.ResolveBands(b, none, true); !errors.Is(err, port.PlanRefused) {
		t.Errorf("bands under strict: %v", err)
	}
	if _, err := waitplan.Resolve(waitplan.Plan{}, none, false); !errors.Is(err, port.ErrInvalidPlan) {
		t.Errorf("zero plan: %v", err)
	}
}

func seeds(f *testing.F) {
	for _, text := range append(measured, "", "block;rows>=32:"+predictText, "poll;rows>=2", "flag:park_us=1,park_us=1",
		"poll+confirm=status", "flag:park_us=99999999999999999999,backstop_us=1", "poll;rows>=4294967296:poll") {
		f.Add(text)
	}
}

// FuzzParse: a text either parses, and is stood for exactly by its String, or the
// error names an offset within it.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := waitplan.Parse(text)
		if err != nil {
			checkSyntaxError(t, text, err)
			return
		}
		again, err := waitplan.Parse(p.String())
		if err != nil || again != p || p.Validate() != nil || len(p.String()) != len(text) {
			t.Fatalf("%q is %+v, and again %+v, %v", text, p, again, err)
		}
	})
}

// FuzzParseBands is FuzzParse for bands.
func FuzzParseBands(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		b, err := waitplan.ParseBands(text)
		if err != nil {
			checkSyntaxError(t, text, err)
			return
		}
		again, err := waitplan.ParseBands(b.String())
		if err != nil || again != b || len(b.String()) != len(text) {
			t.Fatalf("%q is %v, and again %v, %v", text, b, again, err)
		}
	})
}

func checkSyntaxError(t *testing.T, text string, err error) {
	t.Helper()
	var syntax *waitplan.SyntaxError
	if !errors.Is(err, port.ErrInvalidPlan) || !errors.As(err, &syntax) {
		t.Fatalf("%q: %v", text, err)
	}
	if syntax.Offset < 0 || syntax.Offset > len(text) || syntax.Fault == "" || syntax.Text != text {
		t.Fatalf("%q: %+v", text, syntax)
	}
}

func ExampleParse() {
	p, err := waitplan.Parse("flag:park_us=100,backstop_us=1000")
	fmt.Println(p.ParkFor, p.Backstop, err)
	_, err = waitplan.Parse("flag:park_us=0,backstop_us=1000")
	fmt.Println(err)
	// Output:
	// 100µs 1ms <nil>
	// wait plan "flag:park_us=0,backstop_us=1000": park_us is 0, want 1 to 10000: at byte 13
}
