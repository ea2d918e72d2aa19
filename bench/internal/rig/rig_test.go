package rig

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"gpureactor/bench/internal/remote"
	"gpureactor/internal/testmain"
	"gpureactor/internal/testmain/pages"
	"gpureactor/port"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == remote.ChildArgument {
		os.Exit(remote.Serve(os.Args[2:], os.Stdout, os.Stderr))
	}
	testmain.Main(m, pages.Check())
}

func TestUnknownNamesAreRefusedWithTheKnownOnes(t *testing.T) {
	_, deviceErr := FindDevice("cuda")
	_, hostErr := FindHost("kqueue")
	for _, test := range []struct {
		err  error
		says []string
	}{
		{deviceErr, []string{`device is "cuda"`, "soft"}},
		{hostErr, []string{`host is "kqueue"`, "auto, epoll, std"}},
	} {
		if !errors.Is(test.err, port.ErrInvalidConfig) {
			t.Errorf("%v, want InvalidConfig", test.err)
		}
		for _, says := range test.says {
			if !strings.Contains(test.err.Error(), says) {
				t.Errorf("%v does not say %q", test.err, says)
			}
		}
	}
}

func TestEveryNameIsFoundAndOpens(t *testing.T) {
	for _, row := range Hosts() {
		h, err := FindHost(row.Name)
		if err != nil || h.Name != row.Name {
			t.Errorf("%s: found %q, %v", row.Name, h.Name, err)
		}
		opened, err := h.Open()
		if why := h.Missing(); (err == nil) != (why == "") {
			t.Errorf("%s: opens with %v, and is missing for %q", row.Name, err, why)
		}
		if err != nil {
			continue
		}
		if name := opened.Info().Name; name != row.Name {
			t.Errorf("%s opens a host that is called %s", row.Name, name)
		}
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestAutoIsTheFirstHostThatIsThere(t *testing.T) {
	h, err := FindHost(Auto)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range Hosts() {
		if row.Missing() == "" {
			if h.Name != row.Name {
				t.Errorf("auto is %s, want %s", h.Name, row.Name)
			}
			return
		}
	}
	t.Error("no host is there")
}

// Both ways to run the soft device must do the same, but for whose CPU time it is.
func TestSoftDeviceNearAndFar(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		command []string
	}{
		{"far", []string{exe, remote.ChildArgument}},
		{"near", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			choice, err := FindDevice("soft")
			if err != nil {
				t.Fatal(err)
			}
			d, err := choice.Open(Config{Streams: 10, Command: test.command})
			if err != nil {
				t.Fatal(err)
			}
			if noted := d.Note() != ""; test.name == "near" && !noted {
				t.Error("nothing says that CPU times include the device")
			}
			checkStreams(t, d, 10)
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func checkStreams(t *testing.T, d Device, n int) {
	t.Helper()
	if len(d.Streams()) != n || d.Err() != nil {
		t.Fatalf("%d streams and error %v, want %d and none", len(d.Streams()), d.Err(), n)
	}
	for i, s := range d.Streams() {
		queued := d.Clock().Now()
		if err := s.Delay(100 * time.Microsecond); err != nil {
			t.Fatal(err)
		}
		ticket, err := s.Mark()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Block(t.Context(), ticket); err != nil {
			t.Fatal(err)
		}
		if stored := s.Stored(); stored < queued || !ticket.Reached() {
			t.Errorf("stream %d stored at %d, was queued at %d", i, stored, queued)
		}
	}
}

func TestDeviceThatDoesNotOpenSaysWhy(t *testing.T) {
	choice, err := FindDevice("soft")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{-1, 0, remote.MaxStreams + 1} {
		for _, command := range [][]string{nil, {"/no/such/program"}} {
			if _, err := choice.Open(Config{Streams: n, Command: command}); !errors.Is(err, port.ErrOutOfRange) {
				t.Errorf("%d streams of %q: %v, want OutOfRange", n, command, err)
			}
		}
	}
	_, err = choice.Open(Config{Streams: 1, Command: []string{"/no/such/program"}})
	if err == nil || !strings.Contains(err.Error(), "/no/such/program") {
		t.Errorf("%v, want an error that names the program", err)
	}
}
