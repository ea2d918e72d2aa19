package hostmem

import (
	"strconv"
	"testing"

	"gpureactor/internal/testmain"
)

func TestMain(m *testing.M) {
	testmain.Main(m, testmain.Check{Name: "pages", Leaks: livePages})
}

// livePages names the pages left. testmain/pages does so for all other packages,
// but the tests here turn its stacks on and off.
func livePages() []string {
	if n := Live(); n > 0 {
		return []string{strconv.Itoa(n) + " pages were not released"}
	}
	return nil
}
