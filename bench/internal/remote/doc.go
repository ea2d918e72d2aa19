// Package remote is a software device that runs in a child process, so that the
// CPU time of the parent is that of the waiting side alone, as it is with a GPU.
//
// The two share one page. The child opens a device of backends/soft whose words
// lie there, so a store of the child is seen by a load of the parent, with no
// call between them, as a store of a GPU is. The parent queues work into rings of
// the same page.
//
//	if len(os.Args) > 1 && os.Args[1] == remote.ChildArgument {
//		os.Exit(remote.Serve(os.Args[2:], os.Stdout, os.Stderr))
//	}
//	...
//	dev, err := remote.Open(remote.Config{Streams: 8, Command: []string{exe, remote.ChildArgument}})
//
// # Who sleeps, who wakes
//
// The child sleeps in the kernel until shortly before its next store is due. It
// writes down that it does; only then does a parent that queues work ring its
// bell. The time for which work keeps a stream busy counts from when it was
// queued, so the child's own way out of its sleep does not lengthen it.
//
// A blocking wait of the parent is a poll system call on a bell of its stream. It
// writes down what it waits for; only then does the child ring behind the store.
//
// Both write-downs are of the form "announce, look again, sleep" against "act,
// look for an announcement": the atomics of both sides have one order, so one of
// the two looks sees the other's act.
//
// The child ends with its parent, whose end closes a pipe. The parent waits for
// the child's end, and then fails and wakes all who wait.
package remote
