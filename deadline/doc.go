// Package deadline predicts how long a wait at a readback point will last.
//
// A readback point is a place in the caller's code where a device result is read
// back, such as "decode/logits": waits there resemble each other. An [Estimate]
// keeps the last residuals of one point, a residual being the time from the start
// of a wait to the completion of the work, and a [Rule] turns the prediction into
// a sleep. A [Table] holds the points by name.
//
// The rule leans low on purpose. The prediction is the minimum of the last Window
// samples. A poll or park that was running when the work finished gives the
// residual itself ([Exact]). The first look after a sleep that finds the work done
// gives only a bound from above ([Late]), and records half of the lesser of that
// bound and the prediction, so a run of late wakes lowers the prediction
// geometrically. Waking early burns some CPU; waking late adds latency and hides
// the true residual.
//
// Everything here is arithmetic on durations: no clock, no I/O. Negative times,
// which only a broken clock could give, count as 0.
package deadline
