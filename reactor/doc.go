// Package reactor watches many completion words in one loop.
//
// A [Reactor] learns of streams by [Reactor.Register]. A wait on a stream is a
// ticket with a plan: [Stream.Await] marks and waits, [Stream.Submit] marks and
// returns a [Future]. All waits of a stream hang on its one word, in rising order
// of their targets, so one look ends a whole prefix of them: a turn costs what
// the number of streams with something pending makes it, never the number of
// futures.
//
// # Who runs the loop
//
// The waiters do. A goroutine that waits takes the baton when it is free, turns
// the loop until its own ticket is done, and hands the baton on; the others sleep
// on a channel each until their ticket is done or the baton is theirs. So one
// waiter sees its word with no hand-over at all. Only while something is pending
// and nobody waits does a goroutine of the reactor hold the baton. Whoever woke
// others yields before it looks again, since a readied goroutine sits in the
// run queue of the one that readied it.
//
// The baton is the right to idle on the host. The lists are guarded by a mutex
// that is never held over an idle, a driver call or a callback, so that
// registering and cancelling do not wait for the device. ([port.Source.Retire]
// and [port.Peeker.Peek] are the two calls made under it.)
//
// # Why no wake is lost
//
// What the holder idles to is written under the mutex before it lets go of it,
// and a registration reads it under the mutex after it linked its wait. Either
// the holder saw the wait before it idled, or the registration sees the idle and
// wakes the host when its own step is earlier; the host's wake is a token that
// stays until a sleep takes it.
//
// # Failure
//
// The word is the authority for completion, the driver's status for failure. It
// is asked on a goroutine of its own, at the plan's backstop and once when a
// stream is overdue. An error fails every pending wait of the stream's domain
// with that error. An idle stream whose word fell short has lost a store: its
// waits complete, and are counted.
//
// # Inside another loop
//
// A [Queue] hands the ends of waits to a loop on one goroutine, which idles in
// [Queue.Turn]: queues and waiters share a reactor and take turns with its baton.
// [Reactor.Turn] and [Reactor.Poll] are for a loop that owns the reactor alone; with
// [Config.NoBackground] nobody else turns unless it waits.
package reactor
