package soft

import (
	"strings"
	"testing"

	"gpureactor/internal/hostmem"
	"gpureactor/port"
)

func TestWordOfAClosedStreamGoesOnInTheNext(t *testing.T) {
	d, _ := openStepped(t, Config{})
	s := newTestStream(t, d)
	markTest(t, s)
	old := markTest(t, s)
	word := s.Word()
	must(t, s.Close())
	next := newTestStream(t, d)
	if next.Word() != word {
		t.Fatal("a word given back is not handed out first")
	}
	if got := word.Load(); got != old.Target() {
		t.Errorf("the word reads %d in the new stream, want %d", got, old.Target())
	}
	if ticket := markTest(t, next); ticket.Target() != old.Target()+1 {
		t.Errorf("the new stream marks %d, want %d", ticket.Target(), old.Target()+1)
	}
}

func TestOldTicketIsNotReachedByANewStream(t *testing.T) {
	d, _ := openStepped(t, Config{Script: []Fault{{Kind: StoreLost, Mark: 1}}})
	s := newTestStream(t, d)
	lost := markTest(t, s)
	must(t, s.Close())
	if lost.Reached() {
		t.Fatal("closing a stream made up for its lost store")
	}
	next := newTestStream(t, d)
	if got := next.Word().Load(); got != lost.Target() {
		t.Errorf("the word reads %d in the new stream, want the last number marked on it, %d", got, lost.Target())
	}
	open := gateTest(t, next)
	if ticket := markTest(t, next); ticket.Target() == lost.Target() || ticket.Reached() {
		t.Errorf("the new stream's first ticket %v, the old one's last %v", ticket, lost)
	}
	open()
}

func TestAcquiredWordIsNotHandedOn(t *testing.T) {
	d, _ := openStepped(t, Config{})
	s := newTestStream(t, d)
	must(t, s.Acquire())
	must(t, s.Acquire())
	must(t, s.Close())
	s.Release()
	if other := newTestStream(t, d); other.Word() == s.Word() {
		t.Error("a word is handed on while somebody may read it")
	}
	s.Release()
	if other := newTestStream(t, d); other.Word() != s.Word() {
		t.Error("a word is not handed on after its last Release")
	}
}

func TestPageStaysMappedUntilTheLastRelease(t *testing.T) {
	before := hostmem.Live()
	d := openTest(t, Config{})
	s := newTestStream(t, d)
	must(t, s.Acquire())
	ticket := markTest(t, s)
	closeTest(t, d)
	if hostmem.Live() != before+1 {
		t.Fatalf("%d pages live between Acquire and Release, want %d", hostmem.Live(), before+1)
	}
	if !ticket.Reached() {
		t.Error("the word lost its number in Close")
	}
	s.Release()
	if hostmem.Live() != before {
		t.Errorf("%d pages live after the last Release, want %d", hostmem.Live(), before)
	}
}

func TestPagesAreMappedAsStreamsNeedThem(t *testing.T) {
	const perPage = pageLines * port.LineWords
	before := hostmem.Live()
	d := openTest(t, Config{})
	seen := make(map[port.Word]bool)
	for i := range perPage + 1 {
		s := newTestStream(t, d)
		seen[s.Word()] = true
		if want := before + 1 + i/perPage; hostmem.Live() != want {
			t.Fatalf("%d pages live with %d streams, want %d", hostmem.Live(), i+1, want)
		}
		if !markTest(t, s).Reached() {
			t.Fatalf("mark of stream %d is not reached", i)
		}
	}
	if len(seen) != perPage+1 {
		t.Errorf("%d streams have %d words", perPage+1, len(seen))
	}
	closeTest(t, d)
	if hostmem.Live() != before {
		t.Errorf("%d pages live after Close, want %d", hostmem.Live(), before)
	}
}

func TestGivenLinesBoundTheStreamsAndKeepTheirNumbers(t *testing.T) {
	before := hostmem.Live()
	lines := testLines(1)
	lines[0].Word(testSlot(t, 0)).Store(1<<64 - 1) // the next number wraps
	lines[0].Word(testSlot(t, 1)).Store(41)
	d, _ := openStepped(t, Config{Lines: lines})
	wraps, goesOn := newTestStream(t, d), newTestStream(t, d)
	if a, b := markTest(t, wraps), markTest(t, goesOn); a.Target() != 0 || b.Target() != 42 || !a.Reached() || !b.Reached() {
		t.Errorf("first marks %v and %v", a, b)
	}
	for range port.LineWords - 2 {
		newTestStream(t, d)
	}
	_, err := d.NewStream()
	wants(t, "stream 9 of one line", err, port.ErrOutOfRange)
	if !strings.Contains(err.Error(), "number of streams is 9: want at most 8") {
		t.Errorf("error %q", err)
	}
	must(t, wraps.Close())
	newTestStream(t, d)
	if hostmem.Live() != before {
		t.Error("a device with given lines mapped a page")
	}
}

func TestStreamsOfALongLivedDeviceReuseTheirWords(t *testing.T) {
	d, _ := openStepped(t, Config{})
	words := make(map[port.Word]bool)
	for range 10_000 {
		s := newTestStream(t, d)
		markTest(t, s)
		words[s.Word()] = true
		must(t, s.Close())
	}
	if len(words) != 1 || len(d.streams) != 0 {
		t.Errorf("10000 streams one after another used %d words, %d are listed", len(words), len(d.streams))
	}
}
