package soft

import (
	"math"
	"strconv"
	"time"

	"gpureactor/port"
)

// A Config says what device to open. The zero value is a live device with its
// own memory and no faults.
type Config struct {
	// Alarm drives a stepped device. Default: nil, a live device on real time.
	Alarm port.Alarm

	// MemoryBytes bounds the memory of all buffers together: 1 and up. Default:
	// 1 GiB.
	MemoryBytes int64

	// Lines hold the streams' words: stream i of those that take a fresh word
	// gets slot i%8 of line i/8. The caller keeps them mapped until the device is
	// closed and every source released, and writes none of their words. The words
	// go on from the numbers they hold. No line may appear twice. Default: none,
	// and the device maps pages of its own.
	Lines []*port.Line

	// Stamps are as many lines as Lines: just before a store the device writes
	// its clock reading in nanoseconds into the same slot of the same line here,
	// as GPUs do with timestamps. Default: none.
	Stamps []*port.Line

	// SpinTail is how long before a store is due the engine of a live device
	// stops sleeping and spins, so that stores land within about a microsecond of
	// their time at the price of that much CPU: 0 to 1 ms. Default: 0.
	SpinTail time.Duration

	// SettleBound is how long Close of a live device waits for queued work before
	// it gives the device up as lost: 1 ns to 1 h. Default: 10 s.
	SettleBound time.Duration

	// Script holds the faults to inject. Their times count from Open. Default:
	// none.
	Script []Fault
}

const (
	defaultMemory = 1 << 30
	defaultSettle = 10 * time.Second
	maxSettle     = time.Hour
	maxSpinTail   = time.Millisecond
)

// complete returns c with defaults in place of zeros, or the first field that is
// out of bounds.
func (c Config) complete() (Config, error) {
	if c.MemoryBytes == 0 {
		c.MemoryBytes = defaultMemory
	}
	if c.SettleBound == 0 {
		c.SettleBound = defaultSettle
	}
	for _, check := range []func() error{
		c.checkMemory, c.checkTimes, c.checkLines, c.checkScript,
	} {
		if err := check(); err != nil {
			return Config{}, err
		}
	}
	return c, nil
}

func (c *Config) checkMemory() error {
	if c.MemoryBytes < 1 || c.MemoryBytes > math.MaxInt {
		return badConfig("MemoryBytes", strconv.FormatInt(c.MemoryBytes, 10),
			"1 to "+strconv.Itoa(math.MaxInt))
	}
	return nil
}

func (c *Config) checkTimes() error {
	switch {
	case c.SpinTail < 0 || c.SpinTail > maxSpinTail:
		return badConfig("SpinTail", c.SpinTail.String(), "0 to "+maxSpinTail.String())
	case c.SpinTail > 0 && c.Alarm != nil:
		return badConfig("SpinTail", c.SpinTail.String(), "0 with an Alarm: a stepped device never spins")
	case c.SettleBound < 1 || c.SettleBound > maxSettle:
		return badConfig("SettleBound", c.SettleBound.String(), "1ns to "+maxSettle.String())
	}
	return nil
}

func (c *Config) checkLines() error {
	if len(c.Stamps) != 0 && len(c.Stamps) != len(c.Lines) {
		return badConfig("len(Stamps)", strconv.Itoa(len(c.Stamps)),
			"0, or len(Lines), "+strconv.Itoa(len(c.Lines)))
	}
	seen := make(map[*port.Line]bool)
	if err := checkDistinct("Lines", c.Lines, seen); err != nil {
		return err
	}
	return checkDistinct("Stamps", c.Stamps, seen)
}

func checkDistinct(field string, lines []*port.Line, seen map[*port.Line]bool) error {
	for i, l := range lines {
		name := field + "[" + strconv.Itoa(i) + "]"
		switch {
		case l == nil:
			return badConfig(name, "nil", "a line")
		case seen[l]:
			return badConfig(name, "a line given before", "a line of its own")
		}
		seen[l] = true
	}
	return nil
}

func (c *Config) checkScript() error {
	for i := range c.Script {
		if err := c.Script[i].check(); err != nil {
			return err.in("Script[" + strconv.Itoa(i) + "].")
		}
		if j := collides(c.Script[:i], &c.Script[i]); j >= 0 {
			return badConfig("Script["+strconv.Itoa(i)+"].Mark", strconv.FormatUint(c.Script[i].Mark, 10),
				"a mark that Script["+strconv.Itoa(j)+"] leaves alone")
		}
	}
	return nil
}

func badConfig(field, value, allowed string) error {
	return port.NewError(port.InvalidConfig, field, value, allowed)
}
