package porttest

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"gpureactor/port"
)

// Require decides what an error from opening something means for a test. Nil goes
// on. An error that wraps port.ErrNotSupported skips the test, unless the
// environment's REQUIRE, a list as in REQUIRE=epoll,descriptors, has the name. Any
// other error fails the test. It must be called on the test's goroutine.
func Require(t testing.TB, name string, err error) {
	t.Helper()
	switch {
	case err == nil:
	case !errors.Is(err, port.ErrNotSupported):
		t.Fatalf("%s: %v", name, err)
	case required(os.Getenv("REQUIRE"), name):
		t.Fatalf("%s is required by REQUIRE=%s: %v", name, os.Getenv("REQUIRE"), err)
	default:
		t.Skipf("%s: %v", name, err)
	}
}

// required reports whether list, which commas separate, has name.
func required(list, name string) bool {
	return slices.ContainsFunc(strings.Split(list, ","), func(item string) bool {
		return strings.TrimSpace(item) == name
	})
}
