// Package waitplan says how one wait is spent.
//
// # Plans
//
// A [Plan] is written as text, parsed once, and then a plain value that does not
// change:
//
//	block
//	poll
//	flag:park_us=N,backstop_us=N
//	poll+predict:margin_us=N,min_sleep_us=N,max_sleep_us=N,window=N
//	flag:park_us=N,backstop_us=N+predict:margin_us=N,min_sleep_us=N,max_sleep_us=N,window=N
//
// "block" runs the vendor's blocking wait. "poll" looks at the completion word in
// a loop. "flag" parks on the word, for at most park_us at a time, and asks the
// driver at least every backstop_us (a poll: every 10 ms) whether the work failed.
// "predict" sleeps first, to margin_us before the predicted end, for max_sleep_us at
// most and not at all below min_sleep_us; the prediction is the minimum of the last
// window residuals (package deadline). A trailing "+confirm=status" on a poll or
// flag plan has a wait succeed only after the driver's status said so too.
//
// Every field is stated, each key once, in any order; numbers are whole
// microseconds (window: a count) in decimal digits with no leading zero.
//
//	park_us       1 to 10000
//	backstop_us   1 to 1000000
//	window        1 to 16
//	margin_us, min_sleep_us, max_sleep_us   0 to 3600000000, min <= max
//
// [Bands] choose among up to four plans by the number of rows of the current step:
//
//	block;rows>=32:flag:park_us=100,backstop_us=1000
//
// String writes either back; what Parse reads from that is equal, and a text in
// the order above is written back to the letter. An error carries
// port.InvalidPlan, names the text and the first thing wrong with it, and wraps a
// [SyntaxError] with the offset.
//
// # Fallback
//
// A flag plan needs a word that the device writes and the host can watch. Where
// that is missing, [Resolve] walks the declared chain once, at start, and says so
// with a coded warning; under strict it refuses.
//
// # Waits
//
// [Wait] is the state machine of one wait: told what was seen, it says what to do,
// with no I/O and no clock of its own. Three drivers run it: [Inline], on the
// goroutine that waits; the reactor; a fill task. A [Report] tells how a wait went.
package waitplan
