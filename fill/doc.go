// Package fill runs other work while the device runs: thousands of tasks in direct
// style on one goroutine.
//
// An [Executor] runs tasks, which are ordinary functions on a [Task]. A task that
// awaits device work gives the thread up until its ticket is reached, and others run
// meanwhile; its locals stay on its own stack, a coroutine's. A switch costs a
// tenth of a microsecond and involves neither a channel nor the Go scheduler.
//
//	e, err := fill.New(rt.Reactor(), fill.Config{})
//	e.Go("decode", func(t *fill.Task) error {
//		for range steps {
//			ticket, err := stream.Mark()
//			if err != nil {
//				return err
//			}
//			if _, err := t.Await(ticket, reactor.Options{Point: "decode/logits"}); err != nil {
//				return err
//			}
//			sample()
//		}
//		return nil
//	})
//	e.GoBackground("index", func(t *fill.Task) error {
//		for _, chunk := range chunks {
//			hash(chunk)
//			if err := t.Yield(); err != nil {
//				return err
//			}
//		}
//		return nil
//	})
//	stats, err := e.Run(ctx)
//
// # What runs when
//
// Ready tasks run in the order in which they became ready, those of the latency
// level before those of the background level. Between tasks the executor looks at the
// words: after every round of the ready tasks, and at least every [Config.Look], so a
// task that a completion readied waits for the slice that is running and no longer.
// Only when nothing is ready does the executor idle, to the earliest step of a wait
// or the earliest sleep of a task, with the reactor's baton. The task that would be
// the last to give the thread up does that idling on its own stack: when it is the
// next to go on, nothing is switched at all.
//
// Tasks are cooperative. A task keeps the thread until it awaits, sleeps, yields,
// parks, joins or returns; one that keeps it longer than [Config.Slice] is counted,
// and named in [Stats] and once in the log. CPU work is cut into slices with
// [Task.Yield] or moved to another goroutine with [Task.Blocking].
//
// # How it ends
//
// Run returns when every task has. When ctx ends, the reactor closes, or, under
// [Config.FirstErrorCancels], a task fails, then every wait of every task returns the
// cause, at once and from then on; deferred functions run, and Run returns when all
// have unwound. A task that must wait all the same, so as not to free memory
// under a device, does so in [Task.Shield]. When nothing registered can ever wake the
// tasks that are left, they unwind with [port.ErrStalled], which names them.
//
// A panic in a task becomes that task's error, with its stack; the others go on. A
// task that calls [runtime.Goexit], as a test's FailNow does, ends the goroutine of
// Run likewise, after all others have unwound.
//
// # Goroutines
//
// A Task belongs to its own function: its methods may be called there alone, except
// for those of a [Waker]. A call while another task runs panics and says so. A task
// must not await while it has its thread locked; [Task.Blocking] is for such calls.
package fill
