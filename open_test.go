package gpureactor_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"gpureactor"
	"gpureactor/backends/soft"
	"gpureactor/hosts/std"
	"gpureactor/internal/testmain"
	"gpureactor/internal/testmain/pages"
	"gpureactor/port"
	"gpureactor/reactor"
	"gpureactor/waitplan"
)

func TestMain(m *testing.M) { testmain.Main(m, pages.Check()) }

func open(t *testing.T, cfg gpureactor.Config) *gpureactor.Runtime {
	t.Helper()
	rt, err := gpureactor.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
	})
	return rt
}

func TestZeroConfigWorksAndSaysWhatItChose(t *testing.T) {
	rt := open(t, gpureactor.Config{})
	if d := rt.Device().Info(); d.Backend != "soft" {
		t.Errorf("device %+v", d)
	}
	s := rt.String()
	for _, part := range []string{"device soft", "default", "host ", rt.Host().Info().Timer, gpureactor.DefaultPlan} {
		if !strings.Contains(s, part) {
			t.Errorf("%q does not say %q", s, part)
		}
	}
	await(t, rt)
}

func await(t *testing.T, rt *gpureactor.Runtime) {
	t.Helper()
	s, err := rt.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	buffer, err := rt.Device().Alloc(64)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]byte, 64)
	if err := errors.Join(s.Fill(buffer, 0, 64, 7), s.CopyOut(out, buffer, 0)); err != nil {
		t.Fatal(err)
	}
	f, err := s.Submit("p")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Wait(t.Context()); err != nil || out[63] != 7 {
		t.Fatalf("%v, %v", err, out)
	}
	if _, err := s.Await(t.Context(), "p"); err != nil {
		t.Fatal(err)
	}
	if s.Waits().Source().Word() != s.Word() {
		t.Error("the registered source is another one")
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	if _, err := s.Submit("p"); !errors.Is(err, port.ErrClosed) {
		t.Errorf("Submit on a closed stream: %v", err)
	}
}

func TestEachChoiceCanBeMade(t *testing.T) {
	dev, err := soft.Open(soft.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	host := std.New(std.Config{})
	defer host.Close()
	for name, cfg := range map[string]gpureactor.Config{
		"device":    {Device: dev},
		"host":      {Host: host},
		"host name": {HostName: "std"},
		"plan":      {Plan: "poll"},
		"block":     {Plan: "block"},
		"bands":     {Plan: "block;rows>=32:poll", Rows: new(waitplan.Rows)},
	} {
		t.Run(name, func(t *testing.T) {
			rt := open(t, cfg)
			if cfg.Device != nil && rt.Device() != port.Device(dev) || cfg.Host != nil && rt.Host() != port.Host(host) {
				t.Error("not what was given")
			}
			if cfg.HostName != "" && rt.Host().Info().Name != cfg.HostName {
				t.Errorf("host %v", rt.Host().Info())
			}
			await(t, rt)
		})
	}
	if _, err := dev.Alloc(1); err != nil {
		t.Errorf("Close of the runtime closed a device that it was given: %v", err)
	}
}

func TestOpenRefusesBadInputAndLeavesNothingOpen(t *testing.T) {
	host := std.New(std.Config{})
	defer host.Close()
	for name, c := range map[string]struct {
		cfg  gpureactor.Config
		want port.Code
	}{
		"host name":          {gpureactor.Config{HostName: "kqueue"}, port.InvalidConfig},
		"host and host name": {gpureactor.Config{Host: host, HostName: "std"}, port.InvalidConfig},
		"plan":               {gpureactor.Config{Plan: "spin"}, port.InvalidPlan},
	} {
		rt, err := gpureactor.Open(c.cfg)
		if !errors.Is(err, c.want) || rt != nil {
			t.Errorf("%s: %v, %v", name, rt, err)
		}
	}
}

func TestWhatWasChosenIsLogged(t *testing.T) {
	var out bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	open(t, gpureactor.Config{Logger: logger})
	for _, part := range []string{"runtime.device.backend=soft", "runtime.host.name=", "runtime.plan="} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("the log %q lacks %q", out.String(), part)
		}
	}
}

func TestCloseEndsPendingWaitsAndTheDevice(t *testing.T) {
	rt, err := gpureactor.Open(gpureactor.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := rt.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	openGate, err := s.Stream.(port.Gater).Gate()
	if err != nil {
		t.Fatal(err)
	}
	defer openGate()
	f, err := s.Submit("p")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(rt.Close(), rt.Close()); err != nil {
		t.Error(err)
	}
	if !errors.Is(f.Err(), port.ErrClosed) {
		t.Errorf("the pending wait ended with %v", f.Err())
	}
	if _, err := rt.NewStream(); !errors.Is(err, port.ErrClosed) {
		t.Errorf("NewStream after Close: %v", err)
	}
}

func Example() {
	rt, err := gpureactor.Open(gpureactor.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer rt.Close()
	stream, _ := rt.NewStream()
	buffer, _ := rt.Device().Alloc(1 << 20)

	stream.Fill(buffer, 0, buffer.Size(), 42) // device work
	result := make([]byte, 4)
	stream.CopyOut(result, buffer, 0)            // read back behind it
	future, _ := stream.Submit("example/result") // a future for all of it
	err = future.Wait(context.Background())      // done, failed or cancelled
	fmt.Println(result, err)
	// Output: [42 42 42 42] <nil>
}

// A loop of one's own turns the reactor and takes completions by token.
func Example_ownLoop() {
	rt, _ := gpureactor.Open(gpureactor.Config{})
	defer rt.Close()
	stream, _ := rt.NewStream()
	queue := rt.Reactor().NewQueue()
	for token := range uint64(3) {
		ticket, _ := stream.Mark()
		queue.Watch(ticket, reactor.Options{Point: "example/loop"}, token)
	}
	done := make([]reactor.Completion, 8)
	for left := 3; left > 0; {
		took, err := queue.Turn(port.Forever, done)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, c := range done[:took.N] {
			fmt.Println(c.Token, c.Err)
			left--
		}
	}
	// Output:
	// 0 <nil>
	// 1 <nil>
	// 2 <nil>
}
