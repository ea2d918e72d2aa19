package cores

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// allowed returns the cores that this process may run on, in rising order.
func allowed() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, err
	}
	var all []int
	for c := range len(set) * 64 {
		if set.IsSet(c) {
			all = append(all, c)
		}
	}
	return all, nil
}

// pin moves every thread of a process. One that it starts meanwhile is where the
// thread is that started it, so a second pass finds all.
func pin(pid int, cores []int) error {
	var set unix.CPUSet
	for _, c := range cores {
		set.Set(c)
	}
	for range 2 {
		if err := pinThreads(pid, &set); err != nil {
			return err
		}
	}
	return nil
}

func pinThreads(pid int, set *unix.CPUSet) error {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return err
	}
	for _, t := range threads {
		id, err := strconv.Atoi(t.Name())
		if err != nil {
			continue
		}
		// A thread may have ended since it was listed.
		if err := unix.SchedSetaffinity(id, set); err != nil && err != unix.ESRCH {
			return err
		}
	}
	return nil
}
