package soft

import "gpureactor/port"

// Mark queues the next number behind the work queued so far. It allocates
// nothing once the queue has grown to its usual length.
func (s *Stream) Mark() (port.Ticket, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return port.Ticket{}, err
	}
	fault := s.script.nextMark()
	if fault != nil && fault.Kind == MarkRefused {
		return port.Ticket{}, s.refuseMark(fault)
	}
	s.cell.last++
	s.dev.counters.marks.Add(1)
	ticket := port.NewTicket(s.cell.word, s.cell.last)
	s.push(op{kind: opMark, value: s.cell.last, fault: fault})
	if fault != nil && fault.Kind == MarkUnsure {
		return port.Ticket{}, s.refuseMark(fault)
	}
	return ticket, nil
}

func (s *Stream) refuseMark(f *Fault) error {
	s.dev.counters.faults.Add(1)
	return port.NewError(port.MarkRefused, "the driver did not take the store").WithDriver(f.driver())
}

// finishMark ends a mark: its work is done, whatever becomes of its store.
func (s *Stream) finishMark(o *op) {
	if o.fault == nil {
		s.store(o.value)
	} else {
		s.storeFaulty(o.value, o.fault)
	}
	s.done = o.value
	s.waiters.reach(s.done)
}
