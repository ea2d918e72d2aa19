package porttest

import (
	"sync"
	"sync/atomic"
	"time"

	"gpureactor/port"
)

type watchFunc func(good port.DescriptorHost, fd uintptr, interest port.Interest, f func(port.Interest)) error

// watchBy replaces the watch.
func watchBy(watch watchFunc) func(*crippled, port.DescriptorHost) {
	return func(c *crippled, good port.DescriptorHost) {
		c.watch = func(fd uintptr, interest port.Interest, f func(port.Interest)) error {
			if f == nil {
				return good.WatchDescriptor(fd, interest, nil)
			}
			return watch(good, fd, interest, f)
		}
	}
}

func brokenDescriptors() []breakage {
	return []breakage{
		{"runs functions elsewhere", watchBy(func(good port.DescriptorHost, fd uintptr, interest port.Interest, f func(port.Interest)) error {
			return good.WatchDescriptor(fd, interest, func(ready port.Interest) {
				done := make(chan struct{})
				go func() { f(ready); close(done) }()
				<-done
			})
		}), []string{"fd/ready before a sleep"}},
		{"does not say what is ready", watchBy(func(good port.DescriptorHost, fd uintptr, interest port.Interest, f func(port.Interest)) error {
			return good.WatchDescriptor(fd, interest, func(port.Interest) { f(0) })
		}), []string{"fd/ready before a sleep", "fd/writable", "fd/end of stream"}},
		{"looks at descriptors only before a sleep", lookBefore, []string{"fd/ready during a sleep"}},
		{"is edge-triggered", watchBy(func(good port.DescriptorHost, fd uintptr, interest port.Interest, f func(port.Interest)) error {
			return good.WatchDescriptor(fd, interest, func(ready port.Interest) {
				f(ready)
				good.UnwatchDescriptor(fd)
			})
		}), []string{"fd/level-triggered", "fd/writable"}},
		{"looks at descriptors only when it blocks", sleepBy(func(good port.DescriptorHost, at port.Time) port.Wakeup {
			if at <= good.Now() {
				return port.WokeTime
			}
			return good.SleepUntil(at)
		}), []string{"fd/level-triggered"}},
		{"drops the wake beside a descriptor", sleepBy(func(good port.DescriptorHost, at port.Time) port.Wakeup {
			why := good.SleepUntil(at)
			if why == port.WokeDescriptor {
				plainPark(good, nil, never, good.Now().Add(20*time.Microsecond))
			}
			return why
		}), []string{"fd/and wakes"}},
		{"serves 64 descriptors", func(c *crippled, good port.DescriptorHost) {
			count := new(tally)
			c.watch = func(fd uintptr, interest port.Interest, f func(port.Interest)) error {
				if count.add(1) > 64 {
					return nil
				}
				return good.WatchDescriptor(fd, interest, f)
			}
		}, []string{"fd/many"}},
		{"does not forget", func(c *crippled, _ port.DescriptorHost) {
			c.unwatch = func(uintptr) error { return nil }
		}, []string{"fd/unwatch", "fd/beside a sleep", "fd/from its function", "fd/churn"}},
		{"holds a lock while a function runs", lockedFunctions, []string{"fd/from its function"}},
		{"takes descriptors only between sleeps", watchLate, []string{"fd/beside a sleep", "fd/churn"}},
		{"takes everything", func(c *crippled, good port.DescriptorHost) {
			c.watch = func(fd uintptr, interest port.Interest, f func(port.Interest)) error {
				good.WatchDescriptor(fd, interest, f)
				return nil
			}
		}, []string{"fd/refused", "fd/watched twice", "fd/closed host"}},
		{"replaces a watch", watchBy(func(good port.DescriptorHost, fd uintptr, interest port.Interest, f func(port.Interest)) error {
			good.UnwatchDescriptor(fd)
			return good.WatchDescriptor(fd, interest, f)
		}), []string{"fd/watched twice"}},
	}
}

// lookBefore watches a descriptor for the start of a sleep only.
func lookBefore(c *crippled, good port.DescriptorHost) {
	type watch struct {
		fd       uintptr
		interest port.Interest
		f        func(port.Interest)
	}
	var all []watch
	c.watch = func(fd uintptr, interest port.Interest, f func(port.Interest)) error {
		all = append(all, watch{fd, interest, f})
		return nil
	}
	c.sleep = func(at port.Time) port.Wakeup {
		for _, w := range all {
			good.WatchDescriptor(w.fd, w.interest, w.f)
		}
		why := good.SleepUntil(0)
		for _, w := range all {
			good.UnwatchDescriptor(w.fd)
		}
		if why != port.WokeTime {
			return why
		}
		return good.SleepUntil(at)
	}
}

// lockedFunctions deadlocks when a function comes back to the host.
func lockedFunctions(c *crippled, good port.DescriptorHost) {
	lock := make(chan struct{}, 1)
	hold := func() {
		select {
		case lock <- struct{}{}:
		case <-c.freed:
		}
	}
	release := func() {
		select {
		case <-lock:
		default:
		}
	}
	c.watch = func(fd uintptr, interest port.Interest, f func(port.Interest)) error {
		hold()
		defer release()
		return good.WatchDescriptor(fd, interest, func(ready port.Interest) {
			hold()
			f(ready)
			release()
		})
	}
}

// watchLate puts a watch off until no goroutine sleeps.
func watchLate(c *crippled, good port.DescriptorHost) {
	var mu sync.Mutex
	var late []func()
	asleep := new(atomic.Bool)
	c.watch = func(fd uintptr, interest port.Interest, f func(port.Interest)) error {
		if !asleep.Load() {
			return good.WatchDescriptor(fd, interest, f)
		}
		mu.Lock()
		defer mu.Unlock()
		late = append(late, func() { good.WatchDescriptor(fd, interest, f) })
		return nil
	}
	c.sleep = func(at port.Time) port.Wakeup {
		mu.Lock()
		for _, watch := range late {
			watch()
		}
		late = nil
		mu.Unlock()
		asleep.Store(true)
		defer asleep.Store(false)
		return good.SleepUntil(at)
	}
}
