// Package gpureactor is an async runtime whose event loop is woken by GPU
// completion words.
//
// A device stream stores a rising 64-bit number into a word of host-visible memory
// behind its work. The reactor watches many such words, learns when each will be
// reached, and spends the wait by a typed plan: sleep to the predicted end, park
// on the word, run other ready work, ask the driver now and then whether the work
// failed. No thread is blocked per wait, no core is spun away, no callback runs on
// a driver's thread.
//
// [Open] gives a device, a host and a reactor with defaults that work everywhere:
//
//	rt, err := gpureactor.Open(gpureactor.Config{})
//	...
//	defer rt.Close()
//	stream, err := rt.NewStream()
//	...
//	future, err := stream.Submit("first/result")
//	...
//	err = future.Wait(ctx)
//
// The parts stand alone too: package reactor for a loop of your own, waitplan for
// the plans and the state machine of a wait, deadline for the estimator, port for
// the contracts that devices and hosts meet.
package gpureactor
