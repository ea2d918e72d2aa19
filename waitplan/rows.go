package waitplan

import "sync/atomic"

// Rows is the number of rows of the current step: published once a step by whoever
// launches it, read by every wait. The zero value is 0 rows. It is safe for
// concurrent use and must not be copied.
type Rows struct{ n atomic.Uint32 }

// Publish sets the number of rows of the step that begins.
func (r *Rows) Publish(rows uint32) { r.n.Store(rows) }

// Current returns the number of rows last published.
func (r *Rows) Current() uint32 { return r.n.Load() }
