package waitplan_test

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"gpureactor/port"
	"gpureactor/waitplan"

	"pgregory.net/rapid"
)

func parseBands(t testing.TB, text string) waitplan.Bands {
	t.Helper()
	b, err := waitplan.ParseBands(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBandRunsFromItsEdgeToTheNext(t *testing.T) {
	b := parseBands(t, "block;rows>=2:poll;rows>=5:"+flagText+";rows>=4294967295:"+predictText)
	if b.Len() != waitplan.MaxBands {
		t.Fatalf("%d bands", b.Len())
	}
	for i, want := range []uint32{0, 2, 5, math.MaxUint32} {
		from, plan := b.Band(i)
		if from != want || b.Index(from) != i || b.Select(from) != plan {
			t.Errorf("band %d is from %d, plan %v, found as %d", i, from, plan, b.Index(from))
		}
		if i > 0 && b.Index(from-1) != i-1 {
			t.Errorf("%d rows are in band %d, want %d", from-1, b.Index(from-1), i-1)
		}
	}
}

func TestZeroBandsHoldNoPlan(t *testing.T) {
	var none waitplan.Bands
	if none.Len() != 0 || none.Index(7) != -1 || none.Select(7) != (waitplan.Plan{}) || none.String() != "" {
		t.Errorf("%d bands, index %d, plan %v", none.Len(), none.Index(7), none.Select(7))
	}
	if _, err := none.MarshalText(); !errors.Is(err, port.ErrInvalidPlan) {
		t.Errorf("marshalled: %v", err)
	}
	if _, err := waitplan.ResolveBands(none, waitplan.Caps{}, false); !errors.Is(err, port.ErrInvalidPlan) {
		t.Errorf("resolved: %v", err)
	}
	if _, err := waitplan.One(waitplan.Plan{}).MarshalText(); !errors.Is(err, port.ErrInvalidPlan) {
		t.Errorf("a plan that is not valid was marshalled: %v", err)
	}
}

// A walk over the edges, from the first on, finds the band that Index finds.
func TestEveryNumberOfRowsIsInOneBand(t *testing.T) {
	b := parseBands(t, "block;rows>=2:poll;rows>=5:"+flagText)
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.OneOf(rapid.Uint32Range(0, 8), rapid.Uint32()).Draw(t, "rows")
		found := -1
		for i := range b.Len() {
			if from, _ := b.Band(i); rows >= from {
				found = i
			}
		}
		if b.Index(rows) != found {
			t.Fatalf("%d rows are in band %d, want %d", rows, b.Index(rows), found)
		}
	})
}

func TestEachBandFallsBackByItself(t *testing.T) {
	none := waitplan.Caps{NoWordWait: "no such driver"}
	b := parseBands(t, flagText+";rows>=2:block;rows>=5:"+predictText)
	rb, err := waitplan.ResolveBands(b, none, false)
	if err != nil {
		t.Fatal(err)
	}
	const tail = "+predict:margin_us=150,min_sleep_us=20,max_sleep_us=50000,window=8"
	if got := rb.Running().String(); got != "poll;rows>=2:block;rows>=5:poll"+tail {
		t.Errorf("running %q", got)
	}
	if w := rb.Warnings(); len(w) != 2 || w[0].Args[0] != flagText || w[1].Args[0] != predictText {
		t.Errorf("warnings %v", w)
	}
	for _, named := range []string{rb.Running().String(), "wait plan " + flagText, "wait plan " + predictText, none.NoWordWait} {
		if !strings.Contains(rb.String(), named) {
			t.Errorf("%q does not name %q", rb, named)
		}
	}
	same, err := waitplan.ResolveBands(b, waitplan.Caps{}, true)
	if err != nil || same.Running() != b || same.Warnings() != nil || same.String() != b.String() {
		t.Errorf("with all capabilities: %v, %v", same, err)
	}
}

func TestResolvedNamesTheFallbackItTook(t *testing.T) {
	for why, want := range map[string]string{"": flagText, "none": "poll (for " + flagText + ")"} {
		r, err := waitplan.Resolve(*plan(t, flagText), waitplan.Caps{NoWordWait: why}, false)
		if err != nil || r.String() != want {
			t.Errorf("%q, %v, want %q", r, err, want)
		}
	}
}

// Resolve walks the rows once from the first to the last, so a plan may only fall
// to a park whose own row stands further down.
func TestFallbackChainEndsAtPoll(t *testing.T) {
	rows := waitplan.Fallbacks()
	if len(rows) == 0 || rows[0] != (waitplan.Fallback{Park: waitplan.Flag, Needs: waitplan.DeviceWordWait, Else: waitplan.Poll}) {
		t.Fatalf("%v", rows)
	}
	done := map[waitplan.Park]bool{}
	for _, row := range rows {
		done[row.Park] = true
		if done[row.Else] || row.Park == waitplan.Poll || row.Park == waitplan.Block {
			t.Errorf("%v", row)
		}
	}
	rows[0].Else = waitplan.Block
	if waitplan.Fallbacks()[0].Else != waitplan.Poll {
		t.Error("a caller changed the chain")
	}
	if waitplan.DeviceWordWait.String() != "device-word-wait" {
		t.Error(waitplan.DeviceWordWait)
	}
}

func TestRowsMayBeReadWhileTheyArePublished(t *testing.T) {
	var rows waitplan.Rows
	var all sync.WaitGroup
	all.Go(func() {
		for n := range uint32(1000) {
			rows.Publish(n + 1)
		}
	})
	for range 3 {
		all.Go(func() {
			for last := uint32(0); last < 1000; {
				if now := rows.Current(); now < last {
					t.Errorf("%d rows after %d", now, last)
					return
				} else {
					last = now
				}
			}
		})
	}
	all.Wait()
}
