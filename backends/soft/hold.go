package soft

// Acquire keeps the word's memory mapped until the matching Release, unless the
// lines are the caller's own. It costs a lock, and allocates nothing.
func (s *Stream) Acquire() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return s.closedError()
	}
	s.holds++
	return nil
}

// Release gives back one Acquire. The last one of a closed stream lets another
// stream have the word, and unmaps its page if the device is closed too.
func (s *Stream) Release() {
	s.mu.Lock()
	if s.holds--; s.holds < 0 {
		s.mu.Unlock()
		panic("BUG: soft: " + s.String() + " released more often than acquired")
	}
	last := s.leave()
	s.mu.Unlock()
	if last {
		s.giveBack()
	}
}

// leave reports whether the word is nobody's any more, once. mu is held.
func (s *Stream) leave() bool {
	if s.gone || !s.closed || s.holds > 0 || !s.atRest() {
		return false
	}
	s.gone = true
	return true
}

func (s *Stream) giveBack() {
	s.dev.mu.Lock()
	s.dev.words.giveBack(s.cell)
	s.dev.mu.Unlock()
	s.cell.release()
}
