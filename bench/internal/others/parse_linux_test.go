package others

import (
	"testing"
	"time"
)

func TestFirstLineOfStat(t *testing.T) {
	tests := []struct {
		text string
		want usage
		ok   bool
	}{
		{"cpu  1 2 3 40 5 6 7 8 0 0\ncpu0 9 9 9 9 9 9 9 9 0 0\n",
			usage{all: 27 * 10 * time.Millisecond, possible: 72 * 10 * time.Millisecond}, true},
		{"cpu 1 2 3 4 5 6 7 8", usage{all: 270 * time.Millisecond, possible: 360 * time.Millisecond}, true},
		{"", usage{}, false},
		{"cpu 1 2 3", usage{}, false},
		{"intr 1 2 3 4 5 6 7 8 9", usage{}, false},
		{"cpu 1 2 3 x 5 6 7 8", usage{}, false},
	}
	for _, test := range tests {
		if got, ok := parse(test.text); got != test.want || ok != test.ok {
			t.Errorf("%q: %+v, %v, want %+v, %v", test.text, got, ok, test.want, test.ok)
		}
	}
}
