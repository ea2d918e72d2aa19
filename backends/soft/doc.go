// Package soft is a complete device in software: the embedded default, and what
// every other backend is measured against.
//
// It is not a mock. Streams are queues that run in order and beside each other,
// memory is real, fills, copies and Go kernels really run, and the store of a
// mark lands in the stream's word behind the work before it, and only then.
//
//	dev, err := soft.Open(soft.Config{})
//	if err != nil {
//		return err
//	}
//	defer dev.Close()
//	s, err := dev.NewStream()
//	...
//	s.(port.Delayer).Delay(time.Millisecond) // device time, no CPU
//	ticket, err := s.Mark()                  // reached 1 ms from now
//
// # Live and stepped
//
// A device without an Alarm is live: one goroutine, the engine, holds the timers
// of all streams, and work that takes time (kernels, large fills and copies) runs
// on a goroutine of its stream that lasts as long as the work. With an Alarm, such
// as the virtual clock of port/manual, the device is stepped: it has no
// goroutines, everything that can run does so in the call that queues it or in an
// alarm, and a script plays the same way every time.
//
// # What drives a stream
//
// A stream is at rest or driven, by at most one goroutine at a time.
//
//	at rest   nothing queued, or the head is a delay not yet over or a closed gate
//	driven    somebody runs the queue's head: the caller that queued it, the
//	          engine or an alarm, whoever opened the gate, or the stream's own
//	          goroutine, which takes over from those when the head takes time
//
// The queue of a stream and all that hangs on it is guarded by the stream's
// mutex, which is free while a kernel or a large copy runs.
//
// # Failure
//
// Errors are those of a vendor's driver: after a kernel failed or the device was
// lost, every call on the device but Close returns that same error with the
// driver's status and its name, and nothing queued behind the fault lands. A
// [Fault] script injects such failures, and stores that go wrong.
package soft
