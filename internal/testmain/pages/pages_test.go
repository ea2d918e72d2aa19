package pages

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"gpureactor/internal/hostmem"
	"gpureactor/internal/testmain"
)

// plantVariable tells the planted test of a child process to leak.
const plantVariable = "PAGES_PLANT"

func TestMain(m *testing.M) { testmain.Main(m, Check()) }

func TestPlanted(t *testing.T) {
	plant := os.Getenv(plantVariable)
	if plant == "untracked" {
		hostmem.Track(false)
	}
	page := openPage(t)
	if plant == "" {
		page.Release()
	}
}

func openPage(t *testing.T) *hostmem.Page {
	page, err := hostmem.New(1)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func TestLeakedPageFailsTheRunWithItsStack(t *testing.T) {
	for plant, want := range map[string]string{
		"tracked":   "pages.openPage(",
		"untracked": "leak of pages: 1 opened while no stacks were recorded",
	} {
		c := exec.Command(os.Args[0], "-test.run=^TestPlanted$")
		c.Env = append(os.Environ(), plantVariable+"="+plant, "GORACE=atexit_sleep_ms=0")
		out, err := c.CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: error %v, want %q in\n%s", plant, err, want, out)
		}
	}
}

func TestPageOfTheTestsIsNoLeakOnceReleased(t *testing.T) {
	before := hostmem.Live()
	page := openPage(t)
	if got := len(leaks(before)); got != 1 {
		t.Errorf("%d leaks with a page open, want 1", got)
	}
	page.Release()
	if got := leaks(before); len(got) != 0 {
		t.Errorf("leaks after the release: %q", got)
	}
}
