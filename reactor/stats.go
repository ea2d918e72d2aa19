package reactor

import (
	"gpureactor/port"
	"gpureactor/waitplan"
)

// Stats counts what a reactor has done since it was made. Plain numbers: export
// them by whatever means you have.
type Stats struct {
	// Submitted counts waits; Ended those that are over. Each ended wait is one
	// of Immediate, Late, Parked and Blocked (success), Failed, or Cancelled.
	Submitted, Ended                 uint64
	Immediate, Late, Parked, Blocked uint64
	Failed, Cancelled                uint64
	// LostStores counts waits that completed by the driver's word though their
	// store never came. They are among Parked.
	LostStores uint64
	// DomainFailures counts driver errors that failed a whole domain.
	DomainFailures uint64
	// Turns counts passes of the loop, Sleeps, Parks and Polls their idles.
	Turns, Sleeps, Parks, Polls uint64
	// Wakes counts idles ended by a registration or an answer, Handovers the
	// batons offered to a waiting goroutine.
	Wakes, Handovers uint64
	// Queries counts status queries, Blocks blocking driver waits, Peeks the
	// questions to sources without a word.
	Queries, Blocks, Peeks uint64

	// Pending is the number of waits that have not ended, Streams that of the
	// registered streams, Points that of the readback points kept.
	Pending, Streams, Points int
	// Evicted counts readback points that were forgotten.
	Evicted uint64
	// Host says by what means the reactor idles.
	Host port.HostInfo
}

// Stats returns a snapshot. It takes the reactor's mutex for a moment.
func (r *Reactor) Stats() Stats {
	r.lock()
	s := r.stats
	s.Pending, s.Streams = r.pending, len(r.streams)
	r.mu.Unlock()
	s.Points, s.Evicted = r.points.Len(), r.points.Evicted()
	s.Host = r.host.Info()
	return s
}

// ended counts a success.
func (s *Stats) ended(report *waitplan.Report) {
	s.Ended++
	if report.LostStore {
		s.LostStores++
	}
	switch report.Kind {
	case waitplan.Immediate:
		s.Immediate++
	case waitplan.Late:
		s.Late++
	case waitplan.Blocked:
		s.Blocked++
	default:
		s.Parked++
	}
}

func (s *Stats) idled(k idleKind) {
	switch k {
	case sleeps:
		s.Sleeps++
	case parks:
		s.Parks++
	case polls:
		s.Polls++
	}
}
