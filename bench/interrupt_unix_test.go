//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// leakedFile is a descriptor of the program that its child inherits too: the
// number is past those that the child is given.
const leakedFile = 40

// The program waits for a reader of the pipe that it is to write to, so the test
// knows when it is under way. The leaked descriptor's end of file comes when the
// program and all that it started are gone.
func TestInterruptExitsWith130AndLeavesNoProcess(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "rows")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	leaked, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer leaked.Close()
	c := command(t, "-workload", "const:10s", "-waiters", "1", "-waits", "1", "-json", fifo)
	c.ExtraFiles = make([]*os.File, leakedFile-2)
	c.ExtraFiles[leakedFile-3] = theirs
	var stderr strings.Builder
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	rows, err := os.Open(fifo)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	awaitChild(c.Process.Pid)
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(rows)
	if err != nil || !strings.Contains(string(text), `"rows": []`) {
		t.Errorf("%v, and the rows are %s", err, text)
	}
	_ = c.Wait() // its error is the status, which is looked at
	if status := c.ProcessState.ExitCode(); status != exitInterrupted || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit %d, and says %q; want exit 130", status, stderr.String())
	}
	if n, err := leaked.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("%d bytes, %v; want the end of file: no process is left", n, err)
	}
}

// awaitChild waits for a process to have a child, where that can be seen.
func awaitChild(pid int) {
	for runtime.GOOS == "linux" {
		lists, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
		for _, list := range lists {
			if children, _ := os.ReadFile(list); len(children) > 0 {
				return
			}
		}
		if len(lists) == 0 {
			return // it has ended, or the kernel does not tell
		}
	}
}
