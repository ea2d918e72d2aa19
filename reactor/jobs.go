package reactor

import (
	"fmt"
	"runtime/debug"

	"gpureactor/port"
)

// jobs is what must be done once the mutex is free: run functions of users, start
// driver calls, give sources back. The lists are linked through their members, so
// that collecting them allocates nothing.
type jobs struct {
	callbacks *extra
	lastCall  *extra
	queries   *Stream // linked by nextQuery
	blocks    *Stream // linked by nextBlock
	releases  *Stream // linked by nextRelease
}

func (j *jobs) empty() bool {
	return j.callbacks == nil && j.queries == nil && j.blocks == nil && j.releases == nil
}

// call queues the functions of x, in order.
func (j *jobs) call(x *extra) {
	if j.callbacks == nil {
		j.callbacks = x
	} else {
		j.lastCall.next = x
	}
	j.lastCall = x
}

// finishJobs does what has been collected. The mutex is held on entry and free on
// return.
func (r *Reactor) finishJobs() {
	j := r.jobs
	r.jobs = jobs{}
	offload := r.cfg.Offload
	r.mu.Unlock()
	for s := j.queries; s != nil; {
		next := s.nextQuery
		offload(s.probe)
		s = next
	}
	for s := j.blocks; s != nil; {
		next := s.nextBlock
		offload(s.block)
		s = next
	}
	for s := j.releases; s != nil; {
		next := s.nextRelease
		s.src.Release()
		r.running.Done()
		s = next
	}
	for x := j.callbacks; x != nil; x = x.next {
		x.run()
	}
}

// run calls the functions of x. A panic in one must not unwind through whoever
// happens to turn the loop, where it would take the baton along or be swallowed:
// it ends the process, as it would on a goroutine of its own.
func (x *extra) run() {
	finished := false
	defer func() {
		if finished {
			return
		}
		text := fmt.Sprintf("reactor: OnDone function panicked or called Goexit: %v\n%s", recover(), debug.Stack())
		go panic(text)
		select {}
	}()
	for _, fn := range x.then {
		fn(x.future)
	}
	finished = true
}

// query collects a status query of s, unless one is out.
func (s *Stream) query() {
	if s.querying || s.r.closed {
		return
	}
	s.querying, s.queryTo = true, s.tail.target
	s.confirms = s.begun && s.wait.Confirming()
	s.use()
	s.r.stats.Queries++
	s.nextQuery, s.r.jobs.queries = s.r.jobs.queries, s
}

// blockOn collects a blocking wait for the head of s, unless one is out.
func (s *Stream) blockOn() {
	if s.blocking || s.r.closed {
		return
	}
	s.blocking, s.blockTo = true, s.head.target
	s.use()
	s.r.stats.Blocks++
	s.nextBlock, s.r.jobs.blocks = s.r.jobs.blocks, s
}

// use keeps the source acquired and the reactor running for one offloaded call.
func (s *Stream) use() {
	s.users++
	s.r.running.Add(1)
}

// unuse ends a use; the last one of a dropped stream has its source released. The
// mutex is held.
func (s *Stream) unuse() {
	s.users--
	s.releaseUnused()
	s.r.running.Done()
}

// releaseUnused collects the release of a dropped stream that nobody uses. No word
// is given back during a park, which may be looking at it: then the holder is woken
// and collects the release.
func (s *Stream) releaseUnused() {
	r := s.r
	switch {
	case !s.dropped.Load() || s.released || s.users > 0:
	case r.idle.kind == parks || r.idle.kind == polls:
		s.released = true
		s.nextRelease, r.parked = r.parked, s
		r.wakeHolder()
	default:
		s.released = true
		s.release()
	}
}

// release collects the release of s.
func (s *Stream) release() {
	s.r.running.Add(1)
	s.nextRelease, s.r.jobs.releases = s.r.jobs.releases, s
}

// releaseParked collects the releases that waited for the end of a park.
func (r *Reactor) releaseParked() {
	for s := r.parked; s != nil; {
		next := s.nextRelease
		s.release()
		s = next
	}
	r.parked = nil
}

// runProbe asks the driver. It runs offloaded.
func (s *Stream) runProbe() {
	status, err := s.src.Status()
	r := s.r
	r.lock()
	s.querying = false
	s.answer(status, err)
	s.unuse()
	r.finishJobs()
}

// runBlock waits in the driver. It runs offloaded.
func (s *Stream) runBlock() {
	r := s.r
	err := s.src.Block(r.ctx, port.NewTicket(s.word, s.blockTo))
	r.lock()
	s.blocking = false
	s.unblocked(err)
	s.unuse()
	r.finishJobs()
}
