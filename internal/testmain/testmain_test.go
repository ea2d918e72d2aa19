package testmain

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// plantVariable tells the planted test of a child process what to leak.
const plantVariable = "TESTMAIN_PLANT"

var resource []string

func TestMain(m *testing.M) {
	Main(m, Check{Name: "resources", Leaks: func() []string { return resource }})
}

// kept holds what a plant leaks, so that no finalizer closes it.
var kept *os.File

func TestPlanted(t *testing.T) {
	switch os.Getenv(plantVariable) {
	case "goroutine":
		go leakedGoroutine(make(chan int))
	case "descriptor":
		kept = mustOpen(t, "testmain.go")
	case "resource":
		resource = []string{"opened by main.go:1"}
	case "failure":
		kept = mustOpen(t, "testmain.go")
		t.Error("planted failure")
	}
}

func leakedGoroutine(forever chan int) { <-forever }

func mustOpen(t *testing.T, name string) *os.File {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestInnocent is there for the one that leaks to be told from.
func TestInnocent(*testing.T) {}

func runPlant(t *testing.T, plant string, args ...string) (string, error) {
	t.Helper()
	c := exec.Command(os.Args[0], append(args, "-test.run=^(TestPlanted|TestInnocent)$")...)
	c.Env = append(os.Environ(), plantVariable+"="+plant, "GORACE=atexit_sleep_ms=0")
	out, err := c.CombinedOutput()
	return string(out), err
}

func TestEachKindOfLeakFailsTheRunAndIsNamed(t *testing.T) {
	file, err := filepath.Abs("testmain.go")
	if err != nil {
		t.Fatal(err)
	}
	plants := map[string][]string{
		"goroutine": {"leak of goroutines: ", "leakedGoroutine", "created by gpureactor/internal/testmain.TestPlanted"},
		"resource":  {"leak of resources: opened by main.go:1\n"},
	}
	if open() != nil {
		plants["descriptor"] = []string{"leak of descriptors: ", "open on " + file, "descriptors: opened by TestPlanted\n"}
	}
	for plant, want := range plants {
		t.Run(plant, func(t *testing.T) {
			out, err := runPlant(t, plant)
			if err == nil {
				t.Errorf("the run passed")
			}
			for _, w := range want {
				if !strings.Contains(out, w) {
					t.Errorf("no %q in\n%s", w, out)
				}
			}
		})
	}
}

func TestLinuxListsDescriptors(t *testing.T) {
	if got, want := open() != nil, runtime.GOOS == "linux"; got != want {
		t.Errorf("descriptors listed: %v on %s", got, runtime.GOOS)
	}
}

func TestNoLeakPasses(t *testing.T) {
	if out, err := runPlant(t, "nothing"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestFilesOfPackageTestingAreNoLeak(t *testing.T) {
	dir := t.TempDir()
	out, err := runPlant(t, "nothing", "-test.cpuprofile=cpu", "-test.trace="+filepath.Join(dir, "trace"), "-test.outputdir="+dir)
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestFailureHidesLeaks(t *testing.T) {
	out, err := runPlant(t, "failure")
	if err == nil || strings.Contains(out, "leak of") {
		t.Errorf("error %v, output\n%s", err, out)
	}
}

func TestLeakThatSettlesPasses(t *testing.T) {
	left := 3
	late := Check{Name: "late things", Leaks: func() []string {
		left = max(left-1, 0)
		return make([]string, left)
	}}
	var report bytes.Buffer
	if status := run(func() int { return 0 }, &report, []Check{late}); status != 0 || report.Len() > 0 {
		t.Errorf("status %d, report %q", status, report.String())
	}
}

func TestDescriptorIsNewByNumberOrTarget(t *testing.T) {
	before := map[int]string{0: "tty", 3: "a", 4: "b"}
	after := map[int]string{0: "tty", 3: "a", 4: "c", 5: "pipe"}
	got := strings.Join(newDescriptors(before, after), "; ")
	if want := "4 open on c; 5 open on pipe"; got != want {
		t.Errorf("leaks %q, want %q", got, want)
	}
}
