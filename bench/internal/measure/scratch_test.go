package measure

import (
	"fmt"
	"os"
	"testing"
	"time"

	"gpureactor/bench/internal/arm"
	"gpureactor/bench/internal/remote"
	"gpureactor/bench/internal/workload"
	"gpureactor/hosts/epoll"
	"gpureactor/internal/platform"
	"gpureactor/port"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == remote.ChildArgument {
		os.Exit(remote.Serve(os.Args[2:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func TestSpin(t *testing.T) {
	exe, _ := os.Executable()
	for _, text := range []string{"const:200us", "const:1ms", "const:5ms"} {
		for _, n := range []int{1} {
			clock := platform.NewClock()
			cmd := []string{exe, remote.ChildArgument}
			if os.Getenv("PIN") != "" {
				cmd = []string{"/usr/bin/taskset", "-c", "1", exe, remote.ChildArgument}
			}
			d, err := remote.Open(remote.Config{Streams: n, Command: cmd, Clock: clock})
			if err != nil {
				t.Fatal(err)
			}
			w, _ := workload.Parse(text)
			c := Cell{Workload: w, Arms: arm.Peers()[:1], Clock: clock, Rounds: 1, Slice: 1000 * time.Millisecond, Seed: 1, Host: func() (port.Host, error) { return epoll.New(epoll.Config{}) }}
			for _, s := range d.Streams() {
				c.Streams = append(c.Streams, s)
			}
			rs, err := c.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			d.Close()
			fmt.Println(text, n, "child", d.CPU())
			for _, r := range rs {
				fmt.Printf("  %-16s waits %6d err %d p10 %d p25 %d p50 %8d p75 %d p90 %8d p99 %8d max %9d cpu/wait %8d allocs %.3f\n", r.Arm.Name, r.Waits(), r.Errors, r.Latency.ValueAtQuantile(10), r.Latency.ValueAtQuantile(25), r.Latency.ValueAtQuantile(50), r.Latency.ValueAtQuantile(75), r.Latency.ValueAtQuantile(90), r.Latency.ValueAtQuantile(99), r.Latency.Max(), int64(r.CPU)/r.Waits(), float64(r.Allocs)/float64(r.Waits()))
			}
		}
	}
}

func TestScratch(t *testing.T) {
	exe, _ := os.Executable()
	for _, text := range []string{"const:200us", "const:1ms", "const:5ms"} {
		for _, n := range []int{1, 8, 64} {
			clock := platform.NewClock()
			d, err := remote.Open(remote.Config{Streams: n, Command: []string{exe, remote.ChildArgument}, Clock: clock})
			if err != nil {
				t.Fatal(err)
			}
			w, _ := workload.Parse(text)
			c := Cell{Workload: w, Arms: arm.Peers(), Clock: clock, Rounds: 5, Slice: 40 * time.Millisecond, Seed: 1, Host: func() (port.Host, error) { return epoll.New(epoll.Config{}) }}
			for _, s := range d.Streams() {
				c.Streams = append(c.Streams, s)
			}
			t0 := time.Now()
			rs, err := c.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			el := time.Since(t0)
			d.Close()
			fmt.Println(text, n, el, "child", d.CPU())
			for _, r := range rs {
				fmt.Printf("  %-16s waits %6d err %d p50 %8d p90 %8d p99 %8d max %9d cpu/wait %8d allocs %.3f\n", r.Arm.Name, r.Waits(), r.Errors, r.Latency.ValueAtQuantile(50), r.Latency.ValueAtQuantile(90), r.Latency.ValueAtQuantile(99), r.Latency.Max(), int64(r.CPU)/r.Waits(), float64(r.Allocs)/float64(r.Waits()))
			}
		}
	}
}
