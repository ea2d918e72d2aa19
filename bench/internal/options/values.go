package options

import (
	"errors"
	"strconv"
	"strings"
)

// texts is a flag that may be repeated.
type texts []string

// String returns what was set, for the usage text.
func (t *texts) String() string { return strings.Join(*t, " ") }

// Set adds one.
func (t *texts) Set(text string) error {
	*t = append(*t, text)
	return nil
}

// A number is a whole number from 1 to most; 0 until it is set.
type number struct{ value, most int }

// String returns the number, "" for 0.
func (n *number) String() string {
	if n.value == 0 {
		return ""
	}
	return strconv.Itoa(n.value)
}

// Set refuses what is out of bounds.
func (n *number) Set(text string) error {
	v, err := strconv.Atoi(text)
	if err != nil || v < 1 || v > n.most {
		return errors.New("want a number from 1 to " + strconv.Itoa(n.most))
	}
	n.value = v
	return nil
}

// A seed is any whole number that is not negative.
type seed uint64

// String returns the number.
func (s *seed) String() string { return strconv.FormatUint(uint64(*s), 10) }

// Set refuses what is not such a number.
func (s *seed) Set(text string) error {
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return errors.New("want a number from 0 to 18446744073709551615")
	}
	*s = seed(v)
	return nil
}
