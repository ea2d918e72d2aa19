package others

import (
	"testing"
	"time"

	"gpureactor/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Main(m) }

func TestShareIsWhatOthersUsed(t *testing.T) {
	tests := []struct {
		name               string
		all, possible, own time.Duration
		want               float64
		ok                 bool
	}{
		{"half", 60, 100, 10, 0.5, true},
		{"only we", 60, 100, 60, 0, true},
		{"ticks are coarser than our time", 60, 100, 61, 0, true},
		{"all", 100, 100, 0, 1, true},
		{"more than there is", 120, 100, 0, 1, true},
		{"nothing has passed", 0, 0, 0, 0, false},
	}
	for _, test := range tests {
		from := usage{all: 7, possible: 9, own: 3}
		share, ok := between(from, usage{all: 7 + test.all, possible: 9 + test.possible, own: 3 + test.own})
		if share != test.want || ok != test.ok {
			t.Errorf("%s: %v, %v, want %v, %v", test.name, share, ok, test.want, test.ok)
		}
	}
}

func TestWatchTellsAShareOrThatItCannot(t *testing.T) {
	w := Watch()
	if share, ok := w.Share(); ok && (share < 0 || share > 1) {
		t.Errorf("others have %v of the machine", share)
	}
	if _, ok := (Watcher{}).Share(); ok {
		t.Error("a watcher that never started tells a share")
	}
}
