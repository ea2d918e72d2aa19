// Package pages looks for mapped pages that tests left behind. It stands apart
// from testmain because the pages hold port's lines, and port is tested too:
//
//	func TestMain(m *testing.M) { testmain.Main(m, pages.Check()) }
package pages

import (
	"fmt"

	"gpureactor/internal/hostmem"
	"gpureactor/internal/testmain"
)

// Check returns the check for pages that are mapped and were not kept on purpose.
// From the start of the tests each page's stack is recorded.
func Check() testmain.Check {
	var before int
	return testmain.Check{
		Name: "pages",
		Start: func() {
			before = hostmem.Live()
			hostmem.Track(true)
		},
		Leaks: func() []string { return leaks(before) },
	}
}

// leaks returns a text for each page above before: its stack, or where a test
// turned tracking off, that there is none.
func leaks(before int) []string {
	stacks := hostmem.OpenStacks()
	for i, stack := range stacks {
		stacks[i] = "opened by\n" + stack
	}
	if rest := hostmem.Live() - before - len(stacks); rest > 0 {
		stacks = append(stacks, fmt.Sprintf("%d opened while no stacks were recorded", rest))
	}
	return stacks
}
