package porttest

import (
	"testing"

	"gpureactor/port"
	"gpureactor/port/manual"
)

func TestVirtualClockHostConforms(t *testing.T) {
	TestVirtualHost(t, func(*testing.T) port.Host { return manual.NewHost(new(manual.Clock)) })
}

func TestHostCasesAreDistinctAndSayWhatTheyProve(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range HostCases() {
		if c.Name == "" || c.Proves == "" || c.run == nil {
			t.Errorf("case %+v lacks a name, a sentence or a body", c)
		}
		if seen[c.Name] {
			t.Errorf("two cases are named %q", c.Name)
		}
		seen[c.Name] = true
	}
}
