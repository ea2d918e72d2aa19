package soft

import (
	"time"

	"gpureactor/port"
)

type opKind uint8

const (
	opMark opKind = iota
	opDelay
	opGate
	opTask
)

// An op is one queued piece of work.
type op struct {
	kind  opKind
	begun bool          // delay: due is set
	value uint64        // mark: the number to store
	last  time.Duration // delay: how long
	due   port.Time     // delay: when it is over
	task  task          // task
	gate  *gate         // gate
	fault *Fault        // mark: how its store goes wrong, or nil
}

// A task is work on memory.
type task interface {
	// heavy reports whether running it takes so long that no caller and no timer
	// should wait for it.
	heavy() bool
	// run does the work, without the stream's mutex if it is heavy.
	run() error
	// settle lets go of what the task holds, once it ran or was dropped. The
	// stream's mutex is held.
	settle(ran bool)
}

// A queue is a ring of ops that grows and never shrinks, so that a stream in a
// steady state allocates nothing.
type queue struct {
	ring []op // its length is a power of two, or 0
	head int
	n    int
}

func (q *queue) len() int { return q.n }

func (q *queue) push(o op) {
	if q.n == len(q.ring) {
		q.grow()
	}
	q.ring[(q.head+q.n)&(len(q.ring)-1)] = o
	q.n++
}

func (q *queue) grow() {
	bigger := make([]op, max(8, 2*len(q.ring)))
	for i := range q.n {
		bigger[i] = *q.at(i)
	}
	q.ring, q.head = bigger, 0
}

// at returns op i from the head. It is valid until the next push.
func (q *queue) at(i int) *op { return &q.ring[(q.head+i)&(len(q.ring)-1)] }

// pop drops the head.
func (q *queue) pop() {
	*q.at(0) = op{}
	q.head = (q.head + 1) & (len(q.ring) - 1)
	q.n--
}

// cut drops the last op.
func (q *queue) cut() {
	*q.at(q.n - 1) = op{}
	q.n--
}
