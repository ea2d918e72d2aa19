package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"gpureactor/bench/internal/cores"
	"gpureactor/bench/internal/measure"
	"gpureactor/bench/internal/options"
	"gpureactor/bench/internal/others"
	"gpureactor/bench/internal/remote"
	"gpureactor/bench/internal/report"
	"gpureactor/bench/internal/rig"
	"gpureactor/bench/internal/workload"
)

// A session is one run: all cells, one after the other.
type session struct {
	options options.Options
	command []string
	cores   cores.Split
	cells   []cell
	bar     *bar
	// progress is called after each slice.
	progress func()

	rows []report.Row
	// notes are what a reader of the rows must know.
	notes []string
	// failed is the first wait that failed.
	failed error
}

// A cell is one workload with one number of waiters.
type cell struct {
	workload workload.Workload
	waiters  int
	slice    time.Duration
}

func newSession(o options.Options, stderr *os.File) (*session, error) {
	s := &session{options: o}
	if o.BaselineAdded {
		s.notes = append(s.notes, report.Baseline+" runs though -peers leaves it out: the ratios refer to it")
	}
	s.plan()
	s.bar = newBar(stderr, len(s.cells)*len(o.Arms)*(o.Rounds+1))
	s.progress = s.bar.step
	exe, err := os.Executable()
	if err != nil {
		return s, err
	}
	s.command = []string{exe, remote.ChildArgument}
	return s, nil
}

// plan lists the cells and shares the time among them.
func (s *session) plan() {
	var shapes []measure.Shape
	for _, w := range s.options.Workloads {
		for _, n := range s.options.Waiters {
			shapes = append(shapes, measure.Shape{Workload: w, Waiters: n})
		}
	}
	for i, slice := range measure.Slices(shapes, len(s.options.Arms), s.options.Rounds, s.options.Total) {
		s.cells = append(s.cells, cell{shapes[i].Workload, shapes[i].Waiters, slice})
	}
}

// run measures the cells in order, until one fails or ctx ends.
func (s *session) run(ctx context.Context) error {
	defer s.bar.finish()
	split, undo := cores.Divide()
	defer undo()
	s.cores = split
	watch := others.Watch()
	defer func() { s.note(disturbed(watch.Share())) }()
	for _, c := range s.cells {
		s.bar.describe(fmt.Sprintf("%s x %d", c.workload, c.waiters))
		if err := s.cell(ctx, c); err != nil {
			return err
		}
	}
	if s.failed != nil {
		return fmt.Errorf("waits failed, the first with: %w", s.failed)
	}
	return nil
}

// cell opens a device, with just the streams that the cell needs, and measures on
// it. The end of the device ends the measuring.
func (s *session) cell(ctx context.Context, c cell) (err error) {
	device, err := s.options.Device.Open(rig.Config{Streams: c.waiters, Command: s.command, Cores: s.cores})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, device.Close()) }()
	ctx, stop := untilLost(ctx, device)
	defer stop()
	s.note(device.Note())
	m := measure.Cell{
		Workload: c.workload, Streams: device.Streams(), Arms: s.options.Arms,
		Host: s.options.Host.Open, Clock: device.Clock(), Rounds: s.options.Rounds, Slice: c.slice,
		Waits: s.options.WaitsPerSlice(c.waiters), Seed: s.options.Seed, Progress: s.progress,
	}
	results, err := m.Run(ctx)
	if err == nil {
		s.add(c, results)
	}
	return err
}

// untilLost returns a context that also ends when the device is lost, for the
// reason that it gives.
func untilLost(ctx context.Context, device rig.Device) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-device.Lost():
			cancel(device.Err())
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// quiet is the share of the machine that other programs may have before a reader
// is told.
const quiet = 0.1

func disturbed(share float64, ok bool) string {
	if !ok || share <= quiet {
		return ""
	}
	return fmt.Sprintf("other programs had %.0f%% of the machine meanwhile: trust the figures less", 100*share)
}

func (s *session) note(text string) {
	if text != "" && !slices.Contains(s.notes, text) {
		s.notes = append(s.notes, text)
	}
}

func (s *session) add(c cell, results []measure.Result) {
	for _, r := range results {
		if s.failed == nil && r.FirstError != nil {
			s.failed = fmt.Errorf("%s, %s x %d: %w", r.Arm.Name, c.workload, c.waiters, r.FirstError)
		}
	}
	at := report.Cell{
		Device: s.options.Device.Name, Host: s.options.Host.Name,
		Workload: c.workload.String(), Waiters: c.waiters,
	}
	s.rows = append(s.rows, at.Rows(results)...)
}

// report writes what was measured.
func (s *session) report(stdout io.Writer, files *outputs) error {
	if err := files.write(report.ThisMachine(), s.rows); err != nil {
		return err
	}
	if len(s.rows) == 0 {
		return nil
	}
	return writeReport(stdout, s)
}
