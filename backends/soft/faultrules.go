package soft

import (
	"strconv"

	"gpureactor/port"
)

// A faultError is a field of a fault out of bounds.
type faultError struct{ field, value, allowed string }

// in returns the error with the path of the fault before the field.
func (e *faultError) in(path string) error {
	return port.NewError(port.InvalidConfig, path+e.field, e.value, e.allowed)
}

// check returns the first field that is out of bounds or that the kind does not
// have, nil for a sound fault.
func (f *Fault) check() *faultError {
	if f.Kind < 1 || f.Kind >= faultKindEnd {
		return &faultError{"Kind", f.Kind.String(), "one of the kinds of fault"}
	}
	for _, c := range f.rules() {
		if c.broken {
			return &c.faultError
		}
	}
	return nil
}

type faultRule struct {
	broken bool
	faultError
}

func (f *Fault) rules() []faultRule {
	k := f.Kind
	none := "nothing for " + k.String()
	mark, below := strconv.FormatUint(f.Mark, 10), strconv.FormatUint(f.Below, 10)
	stream, status := strconv.Itoa(f.Stream), strconv.FormatInt(f.Status, 10)
	timed := k == StatusFails || k == DeviceLost
	return []faultRule{
		{k.onMark() && f.Stream < 0, faultError{"Stream", stream, "0 and up"}},
		{k == StatusFails && f.Stream < AllStreams, faultError{"Stream", stream, "-1 (all streams) and up"}},
		{!k.onMark() && k != StatusFails && f.Stream != 0, faultError{"Stream", stream, none}},
		{k.onMark() && f.Mark == 0, faultError{"Mark", mark, "1 and up"}},
		{!k.onMark() && f.Mark != 0, faultError{"Mark", mark, none}},
		{k == StoreLate && f.By < 1, faultError{"By", f.By.String(), "1ns and up"}},
		{k == StoreTwice && f.By < 0, faultError{"By", f.By.String(), "0 and up"}},
		{k != StoreLate && k != StoreTwice && f.By != 0, faultError{"By", f.By.String(), none}},
		{k != StoreLow && f.Below != 0, faultError{"Below", below, none}},
		{timed && f.After < 0, faultError{"After", f.After.String(), "0 and up"}},
		{!timed && f.After != 0, faultError{"After", f.After.String(), none}},
		{!k.withStatus() && f.Status != 0, faultError{"Status", status, none}},
		{!k.withStatus() && f.Name != "", faultError{"Name", f.Name, none}},
		{k != StatusFails && f.Sticky, faultError{"Sticky", "true", none}},
	}
}

// collides returns the index of a fault on the same mark as f, -1 for none.
func collides(faults []Fault, f *Fault) int {
	for i := range faults {
		o := &faults[i]
		if f.Kind.onMark() && o.Kind.onMark() && o.Stream == f.Stream && o.Mark == f.Mark {
			return i
		}
	}
	return -1
}
