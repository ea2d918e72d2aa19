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
	next = r.harvest(r.host.Now())
	over := own != nil && own.state.Load() == ended
	if over && r.jobs.empty() {
		return next, false
	}
	if over || r.woken || !r.jobs.empty() || r.stats.Ended != fired {
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
	yield = yield && r.woken
	if yield {
		r.woken = false
	}
	r.finishJobs()
	if yield {
		runtime.Gosched()
	}
	r.lock()
}

// harvest looks at every active stream, ends what was reached, moves each wait on,
// and returns what to idle to. Most streams are neither reached nor due, so that is
// asked first.
func (r *Reactor) harvest(now port.Time) idleState {
	next := idleState{kind: sleeps, until: port.Forever}
	for i := 0; i < len(r.active); {
		s := r.active[i]
		if now >= s.due || s.ticket.Reached() || s.peeker != nil {
			s.look(now, r.seen && s.park == r.park)
			if s.index != i {
				continue // it left the list, and another stands here
			}
		}
		next.until = min(next.until, s.due)
		next.kind = max(next.kind, s.kind)
		i++
	}
	return next
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
	r.watching = r.watching[:0]
	line := r.active[0].word.Line()
	if kind == polls {
		line = nil
	}
	for _, s := range r.active {
		if s.begun && s.wait.Confirming() {
			continue
		}
		s.park = r.park
		r.watching = append(r.watching, s.ticket)
		if s.ticket.Word().Line() != line {
			line = nil
		}
	}
	return line
}

// reached is what the host's park asks.
func (r *Reactor) reached() bool {
	for i := range r.watching {
		if r.watching[i].Reached() {
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
