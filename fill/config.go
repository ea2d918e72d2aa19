package fill

import (
	"log/slog"
	"strconv"
	"time"

	"gpureactor/port"
)

// Defaults and bounds of a [Config].
const (
	DefaultSlice = 100 * time.Microsecond
	DefaultLook  = 5 * time.Microsecond
	DefaultInRow = 64
	MaxSlice     = time.Second
	MaxLook      = time.Second
	MaxInRow     = 1 << 20
)

// Config tells how an executor runs. The zero value works.
type Config struct {
	// Slice is how long a task may keep the thread: one that keeps it longer is
	// counted and named, not interrupted. 0 stands for DefaultSlice; at most
	// MaxSlice.
	Slice time.Duration
	// Look is the longest that ready tasks run between two looks at the words, as
	// long as none overruns it by itself. 0 stands for DefaultLook; at most MaxLook.
	Look time.Duration
	// InRow is how many slices of the latency level run in a row while a background
	// task is ready; then one of the background runs. 0 stands for DefaultInRow; at
	// most MaxInRow.
	InRow int
	// FirstErrorCancels has the first task that fails cancel the rest, as errgroup
	// does. Else the others go on.
	FirstErrorCancels bool
	// Serve keeps Run going without tasks, for those that Go brings later, until its
	// context ends. Nothing is ever stalled then.
	Serve bool
	// OnEnd is called on Run's goroutine when a task has ended, with its error. It
	// must not block. nil is none.
	OnEnd func(name string, err error)
	// Logger gets warnings: of a task that overran its slice, or one that goes on
	// although it was cancelled. nil logs nothing.
	Logger *slog.Logger
}

// filled returns c with its defaults in place.
func (c Config) filled() (Config, error) {
	var err error
	c.Slice, err = bounded("fill.Config.Slice", c.Slice, DefaultSlice, MaxSlice, err)
	c.Look, err = bounded("fill.Config.Look", c.Look, DefaultLook, MaxLook, err)
	if c.InRow == 0 {
		c.InRow = DefaultInRow
	}
	if err == nil && (c.InRow < 0 || c.InRow > MaxInRow) {
		err = port.NewError(port.InvalidConfig, "fill.Config.InRow", strconv.Itoa(c.InRow),
			"0 to "+strconv.Itoa(MaxInRow))
	}
	return c, err
}

func bounded(field string, d, otherwise, most time.Duration, err error) (time.Duration, error) {
	switch {
	case err != nil:
	case d == 0:
		return otherwise, nil
	case d < 0 || d > most:
		err = port.NewError(port.InvalidConfig, field, d.String(), "0 to "+most.String())
	}
	return d, err
}
