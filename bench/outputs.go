package main

import (
	"io"
	"os"

	"gpureactor/bench/internal/options"
	"gpureactor/bench/internal/report"
	"gpureactor/port"
)

// outputs are the files that the command line names, nil where it names none.
// They are opened before the run, so that none is in vain.
type outputs struct{ json, goBench *os.File }

func openOutputs(o options.Options) (*outputs, error) {
	files := &outputs{}
	for _, f := range []struct {
		flag, path string
		file       **os.File
	}{{"-json", o.JSON, &files.json}, {"-gobench", o.GoBench, &files.goBench}} {
		if f.path == "" {
			continue
		}
		// What is in the file stays until there is something to write.
		file, err := os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE, 0o644)
		if err != nil {
			files.close()
			return nil, port.NewError(port.InvalidConfig, f.flag, f.path, "a file that can be written").WithCause(err)
		}
		*f.file = file
	}
	return files, nil
}

// write writes the rows to the files.
func (o *outputs) write(m report.Machine, rows []report.Row) error {
	if err := rewrite(o.json, func(w io.Writer) error { return report.WriteJSON(w, m, rows) }); err != nil {
		return err
	}
	return rewrite(o.goBench, func(w io.Writer) error { return report.WriteGoBench(w, m, rows) })
}

// rewrite replaces what is in f, and closes it.
func rewrite(f *os.File, write func(io.Writer) error) error {
	if f == nil {
		return nil
	}
	if err := f.Truncate(0); err != nil && isRegular(f) {
		return err
	}
	if err := write(f); err != nil {
		return err
	}
	return f.Close()
}

// isRegular says that f has contents that could stay: not a pipe or a terminal.
func isRegular(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// close closes what write did not.
func (o *outputs) close() {
	for _, f := range []*os.File{o.json, o.goBench} {
		if f != nil {
			f.Close()
		}
	}
}
