package fill

import "iter"

// A worker is a coroutine that runs tasks, one after the other. The executor
// switches to it with next; its task switches back with yield.
type worker struct {
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	task  *Task
	free  *worker // in the list of those without a task
}

func newWorker() *worker {
	w := &worker{}
	w.next, w.stop = iter.Pull(w.loop)
	return w
}

func (w *worker) loop(yield func(struct{}) bool) {
	w.yield = yield
	for {
		w.task.run()
		if !yield(struct{}{}) {
			return
		}
	}
}

// workers keeps coroutines without a task for the next ones: making one costs as
// much as starting a goroutine.
type workers struct {
	first *worker
	count int
}

// mostFree bounds the coroutines that are kept, and so their stacks.
const mostFree = 256

func (p *workers) take() *worker {
	w := p.first
	if w == nil {
		return newWorker()
	}
	p.first, w.free = w.free, nil
	p.count--
	return w
}

func (p *workers) give(w *worker) {
	w.task = nil
	if p.count == mostFree {
		w.stop()
		return
	}
	w.free, p.first = p.first, w
	p.count++
}

func (p *workers) stop() {
	for p.first != nil {
		p.take().stop()
	}
}
