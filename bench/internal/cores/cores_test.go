package cores

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gpureactor/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Main(m) }

func TestDivideLeavesTheLastCoreToTheDeviceAndUndoGivesItBack(t *testing.T) {
	before, err := allowed()
	procs := runtime.GOMAXPROCS(0)
	s, undo := Divide()
	if err != nil || len(before) < 2 {
		if s.Apart() {
			t.Errorf("%v with cores %v, %v", s, before, err)
		}
		undo()
		return
	}
	now, err := allowed()
	if err != nil || !slices.Equal(now, before[:len(before)-1]) || !slices.Equal(now, s.Waiting) || s.Device != before[len(before)-1] {
		t.Errorf("%v: this process has cores %v of %v, %v", s, now, before, err)
	}
	if runtime.GOMAXPROCS(0) > len(now) {
		t.Errorf("%d processors of the runtime on %d cores", runtime.GOMAXPROCS(0), len(now))
	}
	undo()
	if now, _ := allowed(); !slices.Equal(now, before) || runtime.GOMAXPROCS(0) != procs {
		t.Errorf("after undo: cores %v of %v", now, before)
	}
}

func TestDeviceIsMovedToItsCore(t *testing.T) {
	s, undo := Divide()
	defer undo()
	if !s.Apart() {
		if err := s.PinDevice(os.Getpid()); err != nil {
			t.Error(err)
		}
		return
	}
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Wait()
	defer child.Process.Kill()
	if err := s.PinDevice(child.Process.Pid); err != nil {
		t.Fatal(err)
	}
	if err := s.PinDevice(-1); err == nil {
		t.Error("a process that does not exist was pinned")
	}
	if !strings.Contains(s.String(), "device on core") || !strings.Contains(Split{}.String(), "share") {
		t.Errorf("%v, %v", s, Split{})
	}
}
