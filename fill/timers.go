package fill

import (
	"container/heap"
	"time"

	"gpureactor/port"
)

// timers holds the tasks with a timer, a heap by time and then by order.
type timers []*Task

func (h timers) Len() int { return len(h) }

func (h timers) Less(i, j int) bool {
	if h[i].until != h[j].until {
		return h[i].until < h[j].until
	}
	return h[i].order < h[j].order
}

func (h timers) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].timer, h[j].timer = i, j
}

func (h *timers) Push(x any) {
	t := x.(*Task)
	t.timer = len(*h)
	*h = append(*h, t)
}

func (h *timers) Pop() any {
	old := *h
	t := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	t.timer = -1
	return t
}

// due says that a timer is, at the time now.
func (h timers) due(now port.Time) bool { return len(h) > 0 && h[0].until <= now }

// setTimer has t made ready at a time, if it still waits then.
func (e *Executor) setTimer(t *Task, at port.Time) {
	e.order++
	t.until, t.order = at, e.order
	heap.Push(&e.timers, t)
}

// stopTimer takes t's timer back, if it has one.
func (e *Executor) stopTimer(t *Task) {
	if t.timer >= 0 {
		heap.Remove(&e.timers, t.timer)
	}
}

// fireTimers readies every task whose time has come, the earliest first.
func (e *Executor) fireTimers() {
	for e.timers.due(e.now) {
		t := heap.Pop(&e.timers).(*Task)
		t.expired = true
		e.makeReady(t)
	}
}

// Sleep waits for d; for none and less it yields. It returns the cause when the
// tasks are cancelled meanwhile.
func (t *Task) Sleep(d time.Duration) error {
	if d <= 0 {
		return t.Yield()
	}
	return t.SleepUntil(t.e.clock.Now().Add(d))
}

// SleepUntil waits until the executor's clock reads at; see [Task.Now].
func (t *Task) SleepUntil(at port.Time) error {
	if err := t.enter("Sleep"); err != nil {
		return err
	}
	t.e.setTimer(t, at)
	return t.wait(forTime)
}
