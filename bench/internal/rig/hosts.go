package rig

import (
	"gpureactor/hosts/epoll"
	"gpureactor/hosts/std"
	"gpureactor/port"
)

// Auto is the name that stands for the first host of the table that can be opened.
const Auto = "auto"

// Hosts returns all hosts, the best first.
func Hosts() []HostChoice {
	return []HostChoice{
		{"epoll", "timerfd and eventfd in epoll_wait", missingEpoll, openEpoll},
		{"std", "Go timers and a channel", func() string { return "" }, openStd},
	}
}

// FindHost returns the host of that name, or the best one for Auto.
func FindHost(name string) (HostChoice, error) {
	if name == Auto {
		for _, h := range Hosts() {
			if h.Missing() == "" {
				return h, nil
			}
		}
	}
	rows := append([]HostChoice{{Name: Auto}}, Hosts()...)
	return find("host", rows, func(h HostChoice) string { return h.Name }, name)
}

func openStd() (port.Host, error) { return std.New(std.Config{}), nil }

func openEpoll() (port.Host, error) {
	h, err := epoll.New(epoll.Config{})
	if err != nil {
		return nil, err // not h: a nil *Host in an interface is not nil
	}
	return h, nil
}

// missingEpoll opens one to see.
func missingEpoll() string {
	h, err := openEpoll()
	if err == nil {
		err = h.Close()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
