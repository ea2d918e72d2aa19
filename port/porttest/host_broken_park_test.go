package porttest

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"gpureactor/port"
)

type parkFunc func(good port.DescriptorHost, line *port.Line, ready func() bool, bound port.Time) bool

// parkBy replaces the park.
func parkBy(park parkFunc) func(*crippled, port.DescriptorHost) {
	return func(c *crippled, good port.DescriptorHost) {
		c.park = func(line *port.Line, ready func() bool, bound port.Time) bool { return park(good, line, ready, bound) }
	}
}

func brokenParks() []breakage {
	return []breakage{
		{"looks at the clock before the memory", parkBy(func(good port.DescriptorHost, line *port.Line, ready func() bool, bound port.Time) bool {
			return bound > good.Now() && plainPark(good, line, ready, bound)
		}), []string{"park/ready at once", "park/past bound"}},
		{"forgets the bound", parkBy(func(good port.DescriptorHost, line *port.Line, ready func() bool, _ port.Time) bool {
			return plainPark(good, line, ready, port.Forever)
		}), []string{"park/to its bound"}},
		{"says yes at the bound", parkBy(func(good port.DescriptorHost, line *port.Line, ready func() bool, bound port.Time) bool {
			return plainPark(good, line, ready, bound) || good.Now() >= bound
		}), []string{"park/to its bound", "park/past bound"}},
		{"returns the first look", parkBy(func(good port.DescriptorHost, line *port.Line, ready func() bool, bound port.Time) bool {
			first := ready()
			plainPark(good, line, ready, bound)
			return first
		}), []string{"park/last word"}},
		{"takes the bound for the time", func(c *crippled, _ port.DescriptorHost) {
			c.read = func(now, bound port.Time) port.Time { return bound }
		}, []string{"park/reading"}},
		{"returns the reading of an earlier park", func(c *crippled, _ port.DescriptorHost) {
			last := port.Time(0)
			c.read = func(now, _ port.Time) port.Time {
				last, now = now, last
				return now
			}
		}, []string{"park/reading"}},
		{"looks once and sleeps", parkBy(func(good port.DescriptorHost, _ *port.Line, ready func() bool, bound port.Time) bool {
			return ready() || good.SleepUntil(bound) == port.WokeDescriptor
		}), []string{"park/store", "park/store elsewhere"}},
		{"watches nothing without a line", parkBy(func(good port.DescriptorHost, line *port.Line, ready func() bool, bound port.Time) bool {
			if line == nil {
				return ready() || good.SleepUntil(bound) == port.WokeDescriptor
			}
			return plainPark(good, line, ready, bound)
		}), []string{"park/store elsewhere"}},
		{"leaves the wake that ends a park", parkBy(func(good port.DescriptorHost, line *port.Line, ready func() bool, bound port.Time) bool {
			hit := plainPark(good, line, ready, bound)
			if !hit && good.Now() < bound {
				good.Wake()
			}
			return hit
		}), []string{"park/wake before"}},
		{"parks deaf", deafPark, []string{"park/wake during", "park/wake before", "close/during a park"}},
		{"allocates in a park", func(c *crippled, good port.DescriptorHost) {
			var keep *[64]byte
			c.park = func(line *port.Line, ready func() bool, bound port.Time) bool {
				keep = new([64]byte)
				keep[0]++
				return plainPark(good, line, ready, bound)
			}
		}, []string{"alloc/park"}},
	}
}

// deafPark parks in pieces and leaves out the ends that are neither a hit nor the
// bound.
func deafPark(c *crippled, good port.DescriptorHost) {
	c.park = func(line *port.Line, ready func() bool, bound port.Time) bool {
		for good.Now() < bound {
			if plainPark(good, line, ready, min(bound, good.Now().Add(time.Millisecond))) {
				return true
			}
			select {
			case <-c.freed:
				return false
			default:
			}
		}
		return ready()
	}
}

func brokenCloses() []breakage {
	return append([]breakage{
		{"sleeps on after Close", func(c *crippled, good port.DescriptorHost) {
			c.sleep = func(at port.Time) port.Wakeup {
				if why := good.SleepUntil(at); why != port.WokeClosed {
					return why
				}
				return port.WokeTime
			}
		}, []string{"close/before a sleep", "close/during a sleep", "wake/after close"}},
		{"closes once its sleep is over", closeLate, []string{"close/during a sleep"}},
		{"calls a second Close an error", func(c *crippled, good port.DescriptorHost) {
			closed := new(atomic.Bool)
			c.close = func() error {
				if closed.Swap(true) {
					return errors.New("closed twice")
				}
				return good.Close()
			}
		}, []string{"close/twice"}},
		{"panics when woken after Close", func(c *crippled, good port.DescriptorHost) {
			closed := new(atomic.Bool)
			c.close = func() error { closed.Store(true); return good.Close() }
			c.wake = func() {
				if closed.Load() {
					panic("wake after close")
				}
				good.Wake()
			}
		}, []string{"wake/after close"}},
	}, brokenDescriptorLives()...)
}

// closeLate holds Close back while a goroutine sleeps.
func closeLate(c *crippled, good port.DescriptorHost) {
	var sleeping sync.Mutex
	c.sleep = func(at port.Time) port.Wakeup {
		sleeping.Lock()
		defer sleeping.Unlock()
		return good.SleepUntil(at)
	}
	c.close = func() error {
		sleeping.Lock()
		defer sleeping.Unlock()
		return good.Close()
	}
}
