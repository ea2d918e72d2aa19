package epoll_test

import (
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"gpureactor/hosts/epoll"
	"gpureactor/port"
)

// The limit is set so low that New gets none, one or two of its three descriptors.
// What it got must be closed again, which TestMain looks for.
func TestNewFailsCleanlyWithoutDescriptors(t *testing.T) {
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	lowest := lowestFree(t)
	for spare := range 3 {
		limit := before
		limit.Cur = uint64(lowest + spare)
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
			t.Fatal(err)
		}
		_, err := epoll.New(epoll.Config{})
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &before); err != nil {
			t.Fatal(err)
		}
		var e *port.Error
		if !errors.As(err, &e) || e.Code != port.Backend || e.Driver == nil || e.Driver.Name != "EMFILE" {
			t.Errorf("New with %d descriptors left = %v, want code %v and EMFILE", spare, err, port.Backend)
		}
	}
}

// lowestFree returns the number that the next descriptor gets, when all below it
// are taken.
func lowestFree(t *testing.T) int {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return int(f.Fd())
}

// Two descriptors are ready in one wait. The function of the one that is served
// first watches the other anew: the event at hand was the old watch's.
func TestAnEventOfAnEarlierWatchIsDropped(t *testing.T) {
	host := open(t, epoll.Config{})
	defer host.Close()
	var ends [2]int
	for i := range ends {
		ends[i] = readyPipe(t)
	}
	served, anew := 0, 0
	for i, fd := range ends {
		other := uintptr(ends[1-i])
		err := host.WatchDescriptor(uintptr(fd), port.Readable, func(port.Interest) {
			if served++; served > 1 {
				return
			}
			host.UnwatchDescriptor(other)
			host.WatchDescriptor(other, port.Readable, func(port.Interest) { anew++ })
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if why := host.SleepUntil(0); why != port.WokeDescriptor || served != 1 || anew != 0 {
		t.Errorf("sleep ended by %v after %d functions, and %d of the new watch, want 1 and 0", why, served, anew)
	}
	if host.SleepUntil(0); anew != 1 {
		t.Errorf("the new watch ran %d times in the next sleep, want 1", anew)
	}
}

// readyPipe returns the reading end of a pipe with a byte in it.
func readyPipe(t *testing.T) int {
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_NONBLOCK|unix.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(ends[0]); unix.Close(ends[1]) })
	if _, err := unix.Write(ends[1], []byte{1}); err != nil {
		t.Fatal(err)
	}
	return ends[0]
}
