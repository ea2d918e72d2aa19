package porttest

import (
	"errors"
	"runtime"
	"testing"

	"gpureactor/port"
)

// An outcome stands in for a test and notes how it ended.
type outcome struct {
	testing.TB
	what string
}

func (o *outcome) Helper()               {}
func (o *outcome) Skipf(string, ...any)  { o.what = "skip"; runtime.Goexit() }
func (o *outcome) Fatalf(string, ...any) { o.what = "fail"; runtime.Goexit() }

func outcomeOf(err error) string {
	o, done := &outcome{what: "go on"}, make(chan struct{})
	go func() {
		defer close(done)
		Require(o, "epoll", err)
	}()
	<-done
	return o.what
}

func TestRequireSkipsOnlyWhatIsNotSupportedAndNotRequired(t *testing.T) {
	missing := port.NewError(port.NotSupported, "epoll", "use hosts/std")
	for _, c := range []struct {
		list string
		err  error
		want string
	}{
		{"", nil, "go on"},
		{"epoll", nil, "go on"},
		{"", missing, "skip"},
		{"epoll", missing, "fail"},
		{"cuda, epoll ,hip", missing, "fail"},
		{"cuda,epoll2,iouring", missing, "skip"},
		{"", errors.New("no descriptors left"), "fail"},
		{"epoll", errors.New("no descriptors left"), "fail"},
		{"", port.NewError(port.InvalidConfig, "epoll").WithCause(missing), "skip"},
	} {
		t.Setenv("REQUIRE", c.list)
		if got := outcomeOf(c.err); got != c.want {
			t.Errorf("REQUIRE=%q, error %v: %s, want %s", c.list, c.err, got, c.want)
		}
	}
}
