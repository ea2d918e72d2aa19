// Bench measures what a wait for device work costs: the latency from the device's
// store to the waiting goroutine, and the CPU time that the wait takes meanwhile.
// It runs the wait plans of this module beside what a Go program would do without
// it, on the same work, in turns, and says which plan it would pick.
//
//	go run ./bench              # under a minute
//	go run ./bench -quick       # ten seconds
//	go run ./bench -list        # what there is to choose from
//	go run ./bench -workload const:200us -waiters 1 -plan poll -json rows.json
//
// The device runs in a process of its own, so that CPU time is that of the waiting
// side, as with a GPU. Where processes share no memory it runs in this one, and
// the report says so.
//
// Exit status: 0 when all was measured; 1 when something failed; 2 when the
// command line is refused, and then nothing was started or written; 130 when an
// interrupt ended the run, and then what was finished is printed.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"gpureactor/bench/internal/options"
	"gpureactor/bench/internal/remote"
)

// The exit statuses.
const (
	exitDone        = 0
	exitFailed      = 1
	exitRefused     = 2
	exitInterrupted = 130
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program. It returns the exit status.
func run(args []string, stdout, stderr *os.File) int {
	if len(args) > 0 && args[0] == remote.ChildArgument {
		return remote.Serve(args[1:], stdout, stderr)
	}
	o, err := options.Parse(args)
	switch {
	case errors.Is(err, options.ErrHelp):
		fmt.Fprint(stdout, options.Usage())
		return exitDone
	case err != nil:
		return refused(stderr, err)
	case o.List:
		return failedIf(stderr, writeList(stdout))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	files, err := openOutputs(o)
	if err != nil {
		return refused(stderr, err)
	}
	defer files.close()
	return benchmark(ctx, o, files, stdout, stderr)
}

func refused(stderr io.Writer, err error) int {
	fmt.Fprintln(stderr, "bench:", err)
	return exitRefused
}

func failedIf(stderr io.Writer, err error) int {
	if err == nil {
		return exitDone
	}
	fmt.Fprintln(stderr, "bench:", err)
	return exitFailed
}

// benchmark runs all cells and reports what was finished, also after a failure.
func benchmark(ctx context.Context, o options.Options, files *outputs, stdout, stderr *os.File) int {
	s, err := newSession(o, stderr)
	if err == nil {
		err = s.run(ctx)
	}
	if reportErr := s.report(stdout, files); err == nil {
		err = reportErr
	}
	if ctx.Err() != nil {
		fmt.Fprintln(stderr, "bench: interrupted; the cells that were finished are shown")
		return exitInterrupted
	}
	return failedIf(stderr, err)
}
