package measure

import (
	"testing"
	"time"

	"gpureactor/bench/internal/workload"
)

func shapes(t *testing.T) []Shape {
	t.Helper()
	var all []Shape
	for _, text := range []string{"const:200us", "const:5ms", "bimodal:1ms:4ms:20%"} {
		w, err := workload.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, waiters := range []int{1, 8, 64} {
			all = append(all, Shape{w, waiters})
		}
	}
	return all
}

func TestSlicesTakeTheTotal(t *testing.T) {
	const arms, rounds, total = 10, 10, 45 * time.Second
	var sum float64
	for i, slice := range Slices(shapes(t), arms, rounds, total) {
		s := shapes(t)[i]
		sum += float64(slice+2*s.Workload.Mean()+betweenSlices) * arms * (rounds + 0.5)
	}
	if got := time.Duration(sum); got < total*95/100 || got > total*105/100 {
		t.Errorf("the slices take %v, want about %v", got, total)
	}
}

func TestSlicesNeverGetTooShort(t *testing.T) {
	for _, total := range []time.Duration{0, time.Millisecond, time.Second} {
		for i, slice := range Slices(shapes(t), 10, 10, total) {
			if _, longest := shapes(t)[i].Workload.Range(); slice < 2*longest {
				t.Errorf("of %v, %v gets slices of %v", total, shapes(t)[i], slice)
			}
		}
	}
}

func TestManyWaitersGetShorterSlices(t *testing.T) {
	all := Slices(shapes(t), 10, 10, time.Minute)
	if one, many := all[3], all[5]; one <= many {
		t.Errorf("slices of 1 waiter take %v, of 64 take %v", one, many)
	}
}
