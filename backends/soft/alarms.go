package soft

import "gpureactor/port"

// alarms is a heap, the earliest on top and equal times in the order of their
// push. Unlike container/heap it allocates nothing once it has grown.
type alarms struct {
	heap  []alarmEntry
	order uint64
}

type alarmEntry struct {
	at    port.Time
	order uint64
	run   func()
}

func (a *alarmEntry) before(b *alarmEntry) bool {
	if a.at != b.at {
		return a.at < b.at
	}
	return a.order < b.order
}

// first returns when the earliest alarm is due, Forever when there is none.
func (h *alarms) first() port.Time {
	if len(h.heap) == 0 {
		return port.Forever
	}
	return h.heap[0].at
}

func (h *alarms) push(at port.Time, run func()) {
	h.order++
	h.heap = append(h.heap, alarmEntry{at, h.order, run})
	for i := len(h.heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if !h.heap[i].before(&h.heap[parent]) {
			return
		}
		h.heap[i], h.heap[parent] = h.heap[parent], h.heap[i]
		i = parent
	}
}

// pop takes the earliest alarm, which must exist.
func (h *alarms) pop() func() {
	run, last := h.heap[0].run, len(h.heap)-1
	h.heap[0] = h.heap[last]
	h.heap[last] = alarmEntry{}
	h.heap = h.heap[:last]
	h.sink()
	return run
}

// sink moves the top down to its place.
func (h *alarms) sink() {
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(h.heap) {
			return
		}
		if right := child + 1; right < len(h.heap) && h.heap[right].before(&h.heap[child]) {
			child = right
		}
		if !h.heap[child].before(&h.heap[i]) {
			return
		}
		h.heap[i], h.heap[child] = h.heap[child], h.heap[i]
		i = child
	}
}
