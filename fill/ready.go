package fill

// A Level is one of the two priorities of a task.
type Level uint8

// The levels: ready tasks of Latency run before those of Background.
const (
	Latency Level = iota
	Background
	levels
)

// String returns "latency" or "background".
func (l Level) String() string { return [...]string{"latency", "background"}[min(l, Background)] }

// A fifo is a queue of tasks, linked by next.
type fifo struct {
	first, last *Task
	len         int
}

func (q *fifo) push(t *Task) {
	t.next = nil
	if q.first == nil {
		q.first = t
	} else {
		q.last.next = t
	}
	q.last = t
	q.len++
}

func (q *fifo) pop() *Task {
	t := q.first
	q.first, t.next = t.next, nil
	q.len--
	return t
}

// readyTasks holds the ready tasks of both levels.
type readyTasks struct {
	queues [levels]fifo
	// inRow counts the latency slices that ran while a background task was ready.
	inRow, most int
}

func (r *readyTasks) push(t *Task) { r.queues[t.level].push(t) }

func (r *readyTasks) len() int { return r.queues[Latency].len + r.queues[Background].len }

// level returns the level that is to run, if anything is ready.
func (r *readyTasks) level() Level {
	switch {
	case r.queues[Background].first == nil:
		return Latency
	case r.queues[Latency].first == nil || r.inRow >= r.most:
		return Background
	}
	return Latency
}

// peek returns the task that is to run, nil when none is ready.
func (r *readyTasks) peek() *Task { return r.queues[r.level()].first }

// pop takes it out.
func (r *readyTasks) pop() *Task {
	level := r.level()
	if level == Background || r.queues[Background].first == nil {
		r.inRow = 0
	} else {
		r.inRow++
	}
	return r.queues[level].pop()
}
