package main

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// redraw is the least time between two drawings.
const redraw = 100 * time.Millisecond

// A bar shows how far the run has come, on a terminal; elsewhere it does nothing.
// It draws only between slices, on the goroutine that calls it.
type bar struct{ shown *progressbar.ProgressBar }

func newBar(stderr *os.File, steps int) *bar {
	if !term.IsTerminal(int(stderr.Fd())) {
		return &bar{}
	}
	return &bar{progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(stderr),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(redraw),
		progressbar.OptionSetPredictTime(true),
	)}
}

// The bar's own errors are those of the terminal: nobody could be told.

func (b *bar) describe(text string) {
	if b.shown != nil {
		b.shown.Describe(text)
	}
}

func (b *bar) step() {
	if b.shown != nil {
		_ = b.shown.Add(1)
	}
}

func (b *bar) finish() {
	if b.shown != nil {
		_ = b.shown.Finish()
	}
}
