package others

import (
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// statTick is what /proc/stat counts in: USER_HZ, which is 100 on all processors
// that Go knows (proc_stat(5)).
const statTick = 10 * time.Millisecond

func read() (usage, bool) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return usage{}, false
	}
	u, ok := parse(string(text))
	if !ok {
		return usage{}, false
	}
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var r unix.Rusage
		if unix.Getrusage(who, &r) != nil {
			return usage{}, false
		}
		u.own += time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	return u, true
}

// The fields of the first line of /proc/stat. Those of guests, which come behind,
// are part of user and nice already.
const (
	statIdle   = 3
	statIOWait = 4
	statFields = 8
)

// parse reads the first line: "cpu", then the time spent in each state.
func parse(text string) (usage, bool) {
	line, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(line)
	if len(fields) <= statFields || fields[0] != "cpu" {
		return usage{}, false
	}
	var u usage
	for i, field := range fields[1 : 1+statFields] {
		ticks, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return usage{}, false
		}
		u.possible += time.Duration(ticks) * statTick
		if i != statIdle && i != statIOWait {
			u.all += time.Duration(ticks) * statTick
		}
	}
	return u, true
}
