package reactor

import "context"

// ctxWake has the end of the holder's context wake the host, whose token stays
// until an idle takes it; the holder looks at its context before each idle. It
// keeps the last context's hook, so that waits with one context set it once.
type ctxWake struct {
	done <-chan struct{} // contexts that share it end together
	stop func() bool
}

// watch sets the hook for ctx. The reactor's mutex is held.
func (c *ctxWake) watch(r *Reactor, ctx context.Context) {
	done := ctx.Done()
	if done == c.done || done == nil {
		return
	}
	c.clear()
	c.done = done
	c.stop = context.AfterFunc(ctx, r.host.Wake)
}

// clear removes the hook.
func (c *ctxWake) clear() {
	if c.stop != nil {
		c.stop()
	}
	*c = ctxWake{}
}
