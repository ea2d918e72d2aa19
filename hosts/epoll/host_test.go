package epoll_test

import (
	"testing"

	"gpureactor/hosts/epoll"
	"gpureactor/port"
	"gpureactor/port/porttest"
)

// configs are the makes of the host; all must pass the suite.
func configs() map[string]epoll.Config {
	return map[string]epoll.Config{
		"default":               {},
		"no timerfd":            {NoTimerFD: true},
		"no eventfd":            {NoEventFD: true},
		"one stage":             {OneStage: true},
		"no timerfd or eventfd": {NoTimerFD: true, NoEventFD: true},
	}
}

func open(t testing.TB, cfg epoll.Config) *epoll.Host {
	host, err := epoll.New(cfg)
	porttest.Require(t, "epoll", err)
	return host
}

func TestConformance(t *testing.T) {
	for name, cfg := range configs() {
		t.Run(name, func(t *testing.T) {
			porttest.TestHost(t, func(t *testing.T) port.Host { return open(t, cfg) })
		})
	}
}
