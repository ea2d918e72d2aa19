//go:build !unix

package porttest

import "gpureactor/port"

func brokenDescriptorLives() []breakage {
	return []breakage{{"never closes", func(c *crippled, _ port.DescriptorHost) {
		c.close = func() error { return nil }
	}, []string{"close/beside wakes"}}}
}
