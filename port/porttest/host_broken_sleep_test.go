package porttest

import (
	"math"
	"sync/atomic"
	"time"

	"gpureactor/port"
)

func brokenClocks() []breakage {
	return []breakage{
		{"does not say how it parks", func(c *crippled, good port.DescriptorHost) {
			c.info = func() port.HostInfo {
				info := good.Info()
				info.Park = ""
				return info
			}
		}, []string{"info"}},
		{"has a clock that steps back", func(c *crippled, good port.DescriptorHost) {
			readings := new(atomic.Int64)
			c.now = func() port.Time {
				if readings.Add(1)%100 == 0 {
					return good.Now() - 1e6
				}
				return good.Now()
			}
		}, []string{"clock/forward"}},
	}
}

func brokenSleeps() []breakage {
	return []breakage{
		{"sleeps nine tenths", sleepBy(func(good port.DescriptorHost, at port.Time) port.Wakeup {
			now := good.Now()
			return good.SleepUntil(now.Add(at.Sub(now) / 10 * 9))
		}), []string{"sleep/never early"}},
		{"calls the end of every sleep a wake", sleepBy(func(good port.DescriptorHost, at port.Time) port.Wakeup {
			good.SleepUntil(at)
			return port.WokeCall
		}), []string{"sleep/zero", "sleep/past"}},
		{"counts sleeps in whole milliseconds", sleepBy(func(good port.DescriptorHost, at port.Time) port.Wakeup {
			now := good.Now()
			return good.SleepUntil(now.Add(at.Sub(now).Truncate(time.Millisecond)))
		}), []string{"sleep/never early"}},
		{"sets a timer to nothing for a sleep under 2 us", sleepBy(func(good port.DescriptorHost, at port.Time) port.Wakeup {
			if left := at.Sub(good.Now()); -time.Millisecond < left && left < 2*time.Microsecond {
				at = port.Forever
			}
			return good.SleepUntil(at)
		}), []string{"sleep/zero", "sleep/sub-microsecond", "sleep/1 us"}},
		{"takes a past time for a wrapped one", sleepBy(func(good port.DescriptorHost, at port.Time) port.Wakeup {
			if at < good.Now() {
				at = port.Forever
			}
			return good.SleepUntil(at)
		}), []string{"sleep/past"}},
		{"takes negative times for unsigned ones", sleepBy(func(good port.DescriptorHost, at port.Time) port.Wakeup {
			return good.SleepUntil(port.Time(min(uint64(at), math.MaxInt64)))
		}), []string{"sleep/negative"}},
		{"counts milliseconds in 32 bits", sleepBy(func(good port.DescriptorHost, at port.Time) port.Wakeup {
			if at != port.Forever && at > good.Now()+1e9 {
				millis := int32(at.Sub(good.Now()) / time.Millisecond)
				at = good.Now().Add(time.Duration(millis) * time.Millisecond)
			}
			return good.SleepUntil(at)
		}), []string{"sleep/24.8 days"}},
		{"rounds up over the largest time", sleepBy(func(good port.DescriptorHost, at port.Time) port.Wakeup {
			return good.SleepUntil(at + 1)
		}), []string{"sleep/forever"}},
		{"adds slack over the largest time", sleepBy(func(good port.DescriptorHost, at port.Time) port.Wakeup {
			if at != port.Forever {
				at += 1e7
			}
			return good.SleepUntil(at)
		}), []string{"sleep/almost forever"}},
		{"knows one goroutine", func(c *crippled, good port.DescriptorHost) {
			first := ""
			c.sleep = func(at port.Time) port.Wakeup {
				if first == "" {
					first = goroutineName()
				}
				if goroutineName() != first {
					return port.WokeClosed
				}
				return good.SleepUntil(at)
			}
		}, []string{"sleep/any goroutine"}},
		{"allocates in a sleep", func(c *crippled, good port.DescriptorHost) {
			var keep *[64]byte
			c.sleep = func(at port.Time) port.Wakeup {
				keep = new([64]byte)
				keep[0]++
				return good.SleepUntil(at)
			}
		}, []string{"alloc/sleep"}},
	}
}

// sleepBy replaces the sleep.
func sleepBy(sleep func(good port.DescriptorHost, at port.Time) port.Wakeup) func(*crippled, port.DescriptorHost) {
	return func(c *crippled, good port.DescriptorHost) {
		c.sleep = func(at port.Time) port.Wakeup { return sleep(good, at) }
	}
}

func brokenWakes() []breakage {
	return []breakage{
		{"forgets wakes when a sleep begins", sleepBy(func(good port.DescriptorHost, at port.Time) port.Wakeup {
			good.SleepUntil(0)
			return good.SleepUntil(at)
		}), []string{"wake/before a sleep", "wake/none is lost"}},
		{"does not look for a wake when it is late", sleepBy(func(good port.DescriptorHost, at port.Time) port.Wakeup {
			if at <= good.Now() {
				return port.WokeTime
			}
			return good.SleepUntil(at)
		}), []string{"wake/before a sleep that is over"}},
		{"is deaf in its sleep", func(c *crippled, good port.DescriptorHost) {
			asleep := new(atomic.Bool)
			c.sleep = func(at port.Time) port.Wakeup {
				asleep.Store(true)
				defer asleep.Store(false)
				return good.SleepUntil(at)
			}
			c.wake = func() {
				if !asleep.Load() {
					good.Wake()
				}
			}
		}, []string{"wake/during a sleep", "wake/none is lost", "sleep/forever"}},
		{"counts its wakes", countWakes, []string{"wake/many are one", "wake/burst in a sleep"}},
		{"keeps the wake that ended a sleep", sleepBy(func(good port.DescriptorHost, at port.Time) port.Wakeup {
			why := good.SleepUntil(at)
			if why == port.WokeCall {
				good.Wake()
			}
			return why
		}), []string{"wake/during a sleep", "wake/many are one"}},
		{"loses one wake in a thousand", wakeBy(func(n int) bool { return n%1000 != 0 }), []string{"wake/none is lost"}},
		{"is deaf after 7000 wakes", wakeBy(func(n int) bool { return n < 7000 }), []string{"wake/none is lost by several"}},
	}
}

// wakeBy lets the n-th wake through if heard says so.
func wakeBy(heard func(n int) bool) func(*crippled, port.DescriptorHost) {
	return func(c *crippled, good port.DescriptorHost) {
		count := new(tally)
		c.wake = func() {
			if heard(count.add(1)) {
				good.Wake()
			}
		}
	}
}

// countWakes makes each wake end a sleep of its own.
func countWakes(c *crippled, good port.DescriptorHost) {
	wakes := new(tally)
	c.wake = func() {
		wakes.add(1)
		good.Wake()
	}
	c.sleep = func(at port.Time) port.Wakeup {
		why := good.SleepUntil(at)
		if why == port.WokeCall && wakes.add(-1) > 0 {
			good.Wake()
		}
		return why
	}
}
