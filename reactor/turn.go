package reactor

import (
	"runtime"
	"time"

	"gpureactor/port"
)

// peekEvery is the longest time between two peeks of a stream that is watched and
// has no word to load. A peek is a driver call, so it is not made in a tight loop.
const peekEvery = 20 * time.Microsecond

// idleKind says how the holder idles.
type idleKind uint8

const (
	notIdle idleKind = iota
	sleeps
	parks
	polls
)

// idleState is what the holder idles to. It is written under the mutex before the
// holder lets go of it.
type idleState struct {
	kind  idleKind
	until port.Time
}

// turn makes one pass: harvest, fire, decide, idle. The caller holds the baton
// and the mutex, which is free while functions run and while it idles. own is the
// caller's future, nil for none: when that ended the caller is not kept. It
// returns how it idled.
func (r *Reactor) turn(own *Future, bound port.Time) idleKind {
	r.hit = -1
	next, idles := r.pass(own)
	if !idles {
		return notIdle
	}
	next.until = min(next.until, bound)
	r.rest(next)
	return next.kind
}

// pass is the part of a turn that does not idle: harvest, fire, and whatever needs
// the mutex free. It returns what to idle to, and whether to.
func (r *Reactor) pass(own *Future) (next idleState, idles bool) {
	r.stats.Turns++
	r.idle = idleState{}
	fired := r.stats.Ended
	if !r.harvestHit() {
		now := r.host.Now()
		next = r.harvest(now, mostReadied)
		if len(r.sleepers) > 0 {
			next.until = min(next.until, r.rouseDue(now))
		}
	}
	over := own != nil && own.state.Load() == ended
	if over && r.jobs.empty() {
		return next, false
	}
	if over || r.readied > 0 || !r.jobs.empty() || r.stats.Ended != fired {
		r.outside(!over)
		return next, false
	}
	return next, true
}

// outside does what needs the mutex free, which is held on entry and return. With
// yield it lets the goroutines run that were readied: they sit in the run queue of
// this processor. A holder whose own future has ended does not yield; the next
// turn does.
func (r *Reactor) outside(yield bool) {
	yield = yield && r.readied > 0
	if yield {
		r.readied = 0
	}
	r.finishJobs()
	if yield {
		runtime.Gosched()
	}
	r.lock()
}

// outsideIfNeeded is outside for a holder that goes on with work of its own.
func (r *Reactor) outsideIfNeeded() {
	if r.readied > 0 || !r.jobs.empty() {
		r.outside(true)
	}
}

// A post is what a turn needs of an active stream whose word is neither reached nor
// due, which is most of them: it lies beside the others', and costs no look at the
// stream itself. [Stream.place] keeps it true.
type post struct {
	ticket port.Ticket // of the head
	due    port.Time   // when the wait's next step is
	stream *Stream
	kind   idleKind // how the wait would have the holder idle
	// peeks: the word moves by peeks only. unseen: no park looks at it.
	peeks, unseen bool
}

// A watch is one word that a park looks at.
type watch struct {
	ticket port.Ticket
	stream *Stream
}

// mostReadied is how many goroutines a turn readies before it lets them run: they
// stand behind one another on this processor, and each waits for the turn to end.
const mostReadied = 8

// harvest looks at every active stream, ends what was reached, moves each wait on,
// and returns what to idle to. It stops early, with nothing to idle to, when it has
// readied that many goroutines, and the next one goes on from there.
func (r *Reactor) harvest(now port.Time, most int) idleState {
	next := idleState{kind: sleeps, until: port.Forever}
	from := min(r.from, len(r.active))
	r.from = 0
	if r.sweep(&next, from, len(r.active), now, most) {
		r.sweep(&next, 0, from, now, most)
	}
	return next
}

// sweep harvests the streams from to to, and reports whether it came that far.
func (r *Reactor) sweep(next *idleState, from, to int, now port.Time, most int) bool {
	for i := from; i < min(to, len(r.active)); {
		p := &r.active[i]
		if now >= p.due || p.peeks || p.ticket.Reached() {
			s := p.stream
			s.look(now, s.watched())
			if r.readied >= most {
				r.from = i
				return false
			}
			if s.index != i {
				continue // it left the list, and another stands here
			}
			p = &r.active[i]
		}
		next.until = min(next.until, p.due)
		next.kind = max(next.kind, p.kind)
		i++
	}
	return true
}

// watched says that somebody was looking at the word of s until now.
func (s *Stream) watched() bool { return s.r.seen && s.missed != s.r.park }

// harvestHit ends what the park before saw reached, ahead of all others, and
// reports whether something ended.
func (r *Reactor) harvestHit() bool {
	if r.hit < 0 {
		return false
	}
	w := r.watching[r.hit]
	r.hit = -1
	if w.stream.index < 0 || w.stream.ticket != w.ticket {
		return false // it changed while nobody held the mutex
	}
	ended := r.stats.Ended
	w.stream.look(r.host.Now(), w.stream.watched())
	return r.stats.Ended != ended
}

// rest idles on the host. The mutex is held on entry and return.
func (r *Reactor) rest(to idleState) {
	line := r.gather(to.kind)
	r.idle = to
	r.mu.Unlock()
	if to.kind == sleeps {
		r.host.SleepUntil(to.until)
	} else {
		r.host.ParkLine(line, r.parkReady, to.until)
	}
	r.lock()
	r.rested(to.kind)
}

// rested takes note of an idle that is over.
func (r *Reactor) rested(kind idleKind) {
	r.idle = idleState{}
	r.seen = kind != sleeps
	r.stats.idled(kind)
	if r.parked != nil {
		r.releaseParked()
	}
	if !r.jobs.empty() {
		r.outside(false)
	}
}

// gather lists the words that the park looks at: the head of every active stream,
// since a park that runs anyway sees a sleeping one end early. It returns the line
// that holds them all; nil when they are spread, or when a plan polls: the host then
// looks itself and never rests the core.
func (r *Reactor) gather(kind idleKind) *port.Line {
	if kind == sleeps {
		return nil
	}
	r.park++
	r.watching, r.hit = r.watching[:0], -1
	for i := range r.active {
		p := &r.active[i]
		if p.unseen {
			p.stream.missed = r.park
			continue
		}
		r.watching = append(r.watching, watch{p.ticket, p.stream})
	}
	if kind == polls {
		return nil
	}
	return r.commonLine()
}

// commonLine returns the line of all words watched, nil when there are several.
func (r *Reactor) commonLine() (line *port.Line) {
	if len(r.watching) == 0 || len(r.watching) > port.LineWords {
		return nil
	}
	line = r.watching[0].ticket.Word().Line()
	for _, w := range r.watching[1:] {
		if w.ticket.Word().Line() != line {
			return nil
		}
	}
	return line
}

// reached is what the host's park asks. It begins behind the word that it found
// last, so that a busy stream does not hide the others.
func (r *Reactor) reached() bool {
	n := len(r.watching)
	if r.first >= n {
		r.first = 0
	}
	for i := r.first; i < n; i++ {
		if r.watching[i].ticket.Reached() {
			r.hit, r.first = i, i+1
			return true
		}
	}
	for i := range r.first {
		if r.watching[i].ticket.Reached() {
			r.hit, r.first = i, i+1
			return true
		}
	}
	return false
}

// notify wakes the holder for a stream whose head is new, when that must be looked
// at before the idle ends. The mutex is held.
func (r *Reactor) notify(s *Stream) {
	if s.index >= 0 && (s.kind != sleeps || s.due < r.idle.until) {
		r.wakeHolder()
	}
}

// wakeHolder ends the holder's idle, if it idles.
func (r *Reactor) wakeHolder() {
	if r.idle.kind == notIdle {
		return
	}
	r.stats.Wakes++
	r.host.Wake()
}
