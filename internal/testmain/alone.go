package testmain

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// aloneVariable marks a process that runs one test of another to see whether it
// leaks.
const aloneVariable = "TESTMAIN_ALONE"

func isAlone() bool { return os.Getenv(aloneVariable) != "" }

// alone runs this test binary again and returns its output.
func alone(args ...string) (string, error) {
	c := exec.Command(os.Args[0], append(args, "-test.short="+strconv.FormatBool(testing.Short()))...)
	c.Env = append(os.Environ(), aloneVariable+"=1")
	out, err := c.CombinedOutput()
	return string(out), err
}

// blame names the tests that leak descriptors when each runs in a process of its
// own.
func blame() string {
	names, err := alone("-test.list=^(Test|Fuzz|Example)")
	if err != nil {
		return "the tests cannot be listed: " + err.Error()
	}
	var guilty []string
	for _, name := range strings.Fields(names) {
		out, err := alone("-test.run=^" + name + "$")
		passed := !strings.Contains(out, "FAIL")
		if err != nil && passed && strings.Contains(out, "leak of descriptors") {
			guilty = append(guilty, name)
		}
	}
	if guilty == nil {
		return "no test leaks one when run alone"
	}
	return "opened by " + strings.Join(guilty, ", ")
}
