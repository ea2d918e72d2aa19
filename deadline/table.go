package deadline

import (
	"container/list"
	"strconv"
	"sync"
	"time"

	"gpureactor/port"
)

// The default and the largest number of points that a table holds.
const (
	DefaultCapacity = 1024
	MaxCapacity     = 1 << 20
)

// A Point is the estimate of one readback point, safe for concurrent use. It stays
// usable after its table forgot it.
type Point struct {
	key string

	mu       sync.Mutex // guards estimate
	estimate Estimate
}

// Key returns the name of the point.
func (p *Point) Key() string { return p.key }

// Predicted returns the expected residual, false when nothing was observed yet.
func (p *Point) Predicted() (time.Duration, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.estimate.Predicted()
}

// Sleep returns how long to sleep before the next wait, false for no sleep.
func (p *Point) Sleep(r Rule) (time.Duration, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.estimate.Sleep(r)
}

// Observe records what a wait taught.
func (p *Point) Observe(r Rule, o Outcome) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.estimate.Observe(r, o)
}

// A Table holds points by name, up to its capacity, and forgets the least recently
// used one to make room. It is safe for concurrent use.
type Table struct {
	capacity int

	mu      sync.Mutex // guards what follows
	points  map[string]*list.Element
	recent  list.List // of *Point, the most recently used first
	evicted uint64
}

// NewTable returns an empty table for capacity points; 0 is DefaultCapacity. It
// refuses a negative capacity and one above MaxCapacity with ErrInvalidConfig.
func NewTable(capacity int) (*Table, error) {
	if capacity < 0 || capacity > MaxCapacity {
		return nil, port.NewError(port.InvalidConfig, "capacity of the table of points",
			strconv.Itoa(capacity), "0 to "+strconv.Itoa(MaxCapacity))
	}
	if capacity == 0 {
		capacity = DefaultCapacity
	}
	return &Table{capacity: capacity, points: make(map[string]*list.Element)}, nil
}

// Point returns the point of that name, made when there is none, and counts as a
// use of it. It allocates only when it makes one.
func (t *Table) Point(key string) *Point {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.points[key]; e != nil {
		t.recent.MoveToFront(e)
		return e.Value.(*Point)
	}
	if len(t.points) == t.capacity {
		t.evict()
	}
	p := &Point{key: key}
	t.points[key] = t.recent.PushFront(p)
	return p
}

func (t *Table) evict() {
	oldest := t.recent.Remove(t.recent.Back()).(*Point)
	delete(t.points, oldest.key)
	t.evicted++
}

// Lookup returns the point of that name if there is one; it does not count as a
// use.
func (t *Table) Lookup(key string) (*Point, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.points[key]; e != nil {
		return e.Value.(*Point), true
	}
	return nil, false
}

// Points returns the points, the most recently used first.
func (t *Table) Points() []*Point {
	t.mu.Lock()
	defer t.mu.Unlock()
	points := make([]*Point, 0, len(t.points))
	for e := t.recent.Front(); e != nil; e = e.Next() {
		points = append(points, e.Value.(*Point))
	}
	return points
}

// Len returns the number of points held.
func (t *Table) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.points)
}

// Evicted returns how many points were forgotten to make room.
func (t *Table) Evicted() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.evicted
}
