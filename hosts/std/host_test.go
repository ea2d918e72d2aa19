package std_test

import (
	"testing"

	"gpureactor/hosts/std"
	"gpureactor/port"
	"gpureactor/port/porttest"
)

func TestConformance(t *testing.T) {
	porttest.TestHost(t, func(*testing.T) port.Host { return std.New(std.Config{}) })
}
