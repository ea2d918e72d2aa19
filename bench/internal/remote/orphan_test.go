package remote

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"gpureactor/internal/platform"
)

const (
	parentArgument = "be-parent"
	// leakedFile is the descriptor that a parent and its child both have: its
	// number is past those that a child of one stream gets.
	leakedFile = 12
)

// beParent opens a device, with work that runs for an hour, and waits for it.
func beParent() {
	d, err := Open(Config{Streams: 1, Command: []string{os.Args[0], ChildArgument}, Clock: platform.NewClock()})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	s := d.Streams()[0]
	if err := s.Delay(time.Hour); err != nil {
		panic(err)
	}
	if _, err := s.Mark(); err != nil {
		panic(err)
	}
	fmt.Print(readyLine)
	<-d.Lost()
	os.Exit(1)
}

// The pipe's end of file comes when the last process is gone that has its other
// end: the parent that was killed, and the child that nobody told.
func TestChildEndsWhenItsParentIsKilled(t *testing.T) {
	open(t, 1) // skips where there can be no child
	leaked, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer leaked.Close()
	parent := exec.Command(executable(t), parentArgument)
	parent.ExtraFiles = make([]*os.File, leakedFile-2)
	parent.ExtraFiles[leakedFile-3] = theirs
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	line := make([]byte, len(readyLine))
	if _, err := io.ReadFull(out, line); err != nil || string(line) != readyLine {
		t.Errorf("the parent says %q, %v", line, err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Error(err)
	}
	if err := parent.Wait(); err == nil {
		t.Error("the parent ended before it was killed")
	}
	if n, err := leaked.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("read %d bytes, %v from a pipe that nobody wrote to, want the end", n, err)
	}
}
