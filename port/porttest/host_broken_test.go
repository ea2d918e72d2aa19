package porttest

import (
	"slices"
	"sync"
	"testing"
	"time"

	"gpureactor/hosts/std"
	"gpureactor/port"
)

// A crippled host is a good one with some methods replaced: nil ones are the good
// host's.
type crippled struct {
	port.DescriptorHost
	now     func() port.Time
	sleep   func(at port.Time) port.Wakeup
	park    func(line *port.Line, ready func() bool, bound port.Time) bool
	read    func(now, bound port.Time) port.Time
	wake    func()
	info    func() port.HostInfo
	close   func() error
	watch   func(fd uintptr, interest port.Interest, f func(port.Interest)) error
	unwatch func(fd uintptr) error

	// freed is closed when the test has waited long enough.
	freed chan struct{}
}

func (c *crippled) Now() port.Time {
	if c.now != nil {
		return c.now()
	}
	return c.DescriptorHost.Now()
}

func (c *crippled) SleepUntil(at port.Time) port.Wakeup {
	if c.sleep != nil {
		return c.sleep(at)
	}
	return c.DescriptorHost.SleepUntil(at)
}

func (c *crippled) ParkLine(line *port.Line, ready func() bool, bound port.Time) (bool, port.Time) {
	if c.park != nil {
		hit := c.park(line, ready, bound)
		return hit, c.Now()
	}
	hit, now := c.DescriptorHost.ParkLine(line, ready, bound)
	if c.read != nil {
		now = c.read(now, bound)
	}
	return hit, now
}

// plainPark parks on a good host and leaves the reading of the clock out.
func plainPark(good port.DescriptorHost, line *port.Line, ready func() bool, bound port.Time) bool {
	hit, _ := good.ParkLine(line, ready, bound)
	return hit
}

func (c *crippled) Wake() {
	if c.wake != nil {
		c.wake()
		return
	}
	c.DescriptorHost.Wake()
}

func (c *crippled) Info() port.HostInfo {
	if c.info != nil {
		return c.info()
	}
	return c.DescriptorHost.Info()
}

func (c *crippled) Close() error {
	if c.close != nil {
		return c.close()
	}
	return c.DescriptorHost.Close()
}

func (c *crippled) WatchDescriptor(fd uintptr, interest port.Interest, f func(port.Interest)) error {
	if c.watch != nil {
		return c.watch(fd, interest, f)
	}
	return c.DescriptorHost.WatchDescriptor(fd, interest, f)
}

func (c *crippled) UnwatchDescriptor(fd uintptr) error {
	if c.unwatch != nil {
		return c.unwatch(fd)
	}
	return c.DescriptorHost.UnwatchDescriptor(fd)
}

// A breakage makes a host wrong in one way, which the named cases must find.
type breakage struct {
	name   string
	apply  func(c *crippled, good port.DescriptorHost)
	caught []string
}

func breakages() []breakage {
	return slices.Concat(brokenClocks(), brokenSleeps(), brokenWakes(), brokenParks(), brokenCloses(), brokenDescriptors())
}

// patience is how long a case may hang before the breakage counts as found.
const patience = time.Second

// finds reports whether the case c finds fault with a host broken by b, or hangs on
// it. A case that hangs is freed by closing the good host below.
func (b breakage) finds(t *testing.T, c HostCase) bool {
	for range max(1, c.rounds) {
		good := std.New(std.Config{})
		broken := &crippled{DescriptorHost: good, freed: make(chan struct{})}
		b.apply(broken, good)
		if findsFault(t, c, broken, good) {
			return true
		}
	}
	return false
}

func findsFault(t *testing.T, c HostCase, broken *crippled, good port.Host) bool {
	try := &hostTry{Host: broken}
	done := make(chan struct{})
	go func() {
		defer close(done)
		try.attempt(c.run)
	}()
	defer good.Close()
	select {
	case <-done:
		Require(t, "descriptors", try.missing)
		return len(try.faults) > 0
	case <-time.After(patience):
	}
	close(broken.freed)
	good.Close()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Errorf("%s does not end after its host was closed", c.Name)
	}
	return true
}

func TestEveryBreakageOfAHostIsFound(t *testing.T) {
	cases := map[string]HostCase{}
	for _, c := range HostCases() {
		cases[c.Name] = c
	}
	for _, b := range breakages() {
		for _, name := range b.caught {
			t.Run(b.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				c, ok := cases[name]
				if !ok {
					t.Fatalf("there is no case %q", name)
				}
				if !b.finds(t, c) {
					t.Errorf("the case passes a host that %s", b.name)
				}
			})
		}
	}
}

func TestEveryHostCaseFindsABreakage(t *testing.T) {
	var finders []string
	for _, b := range breakages() {
		finders = append(finders, b.caught...)
	}
	for _, c := range HostCases() {
		if !slices.Contains(finders, c.Name) {
			t.Errorf("no broken host shows that %q can fail", c.Name)
		}
	}
}

func TestAnUnbrokenHostPassesEveryCase(t *testing.T) {
	TestHost(t, func(*testing.T) port.Host { return &crippled{DescriptorHost: std.New(std.Config{})} })
}

// A tally counts under a lock.
type tally struct {
	mu sync.Mutex
	n  int
}

// add adds d and returns the sum.
func (t *tally) add(d int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n += d
	return t.n
}
