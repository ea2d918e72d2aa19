package soft

import "gpureactor/port"

// stores holds what a stream's faulty stores left to land. The stream's mutex
// guards it.
type stores struct {
	// held are stores behind a late one, the oldest first.
	held []heldStore
	// swapped is the number that lands behind the next store, if any.
	swapped    uint64
	hasSwapped bool
	// echoes is the number of second stores still to come.
	echoes int
}

// A heldStore lands no earlier than at, and behind the one before it.
type heldStore struct {
	value uint64
	at    port.Time
}

// landed reports whether nothing is left to land by itself.
func (h *stores) landed() bool { return len(h.held) == 0 && h.echoes == 0 }

// drop forgets what is left, and returns how many numbers were never stored.
func (h *stores) drop() int64 {
	lost := int64(len(h.held))
	*h = stores{}
	return lost
}

// store puts v into the word, behind stores that are late.
func (s *Stream) store(v uint64) {
	if len(s.stores.held) > 0 {
		s.stores.held = append(s.stores.held, heldStore{value: v, at: never})
	} else {
		s.land(v)
	}
	if s.stores.hasSwapped {
		s.stores.hasSwapped = false
		s.store(s.stores.swapped)
	}
}

// land writes the word now, the stamp before it. The word's store has release
// order: its partner is the acquire load of whoever watches, who then sees the
// stamp and all that the work before the mark wrote.
func (s *Stream) land(v uint64) {
	if s.cell.stamp.Valid() {
		s.cell.stamp.Store(uint64(s.dev.alarm.Now()))
	}
	s.cell.word.Store(v)
	s.dev.counters.stores.Add(1)
}

// storeFaulty lets the store of v go wrong.
func (s *Stream) storeFaulty(v uint64, f *Fault) {
	if f.Kind == MarkUnsure { // counted when its mark was refused
		s.store(v)
		return
	}
	s.dev.counters.faults.Add(1)
	switch f.Kind {
	case StoreLate:
		s.storeLate(v, f)
	case StoreLost:
		s.dev.counters.lost.Add(1)
	case StoreTwice:
		s.store(v)
		s.echo(v, f)
	case StoreSwapped:
		s.dev.counters.lost.Add(1)
		s.swap(v)
	case StoreLow:
		s.dev.counters.lost.Add(1)
		s.store(v - f.below())
	}
}

// swap keeps v for behind the next store. Two in a row let the first one go.
func (s *Stream) swap(v uint64) {
	if s.stores.hasSwapped {
		s.store(s.stores.swapped)
	}
	s.stores.swapped, s.stores.hasSwapped = v, true
}

func (s *Stream) storeLate(v uint64, f *Fault) {
	at := s.dev.alarm.Now().Add(f.By)
	s.stores.held = append(s.stores.held, heldStore{value: v, at: at})
	s.dev.counters.late.Add(1)
	s.dev.alarm.At(at, s.onHeld)
}

// landHeld lands the late stores whose time has come, and those behind them. It
// is run by the device's alarm; mu is not held.
func (s *Stream) landHeld() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.dev.alarm.Now()
	for len(s.stores.held) > 0 && s.stores.held[0].at <= now {
		s.land(s.stores.held[0].value)
		s.stores.held = s.stores.held[1:]
	}
	s.wakeRested()
}

// echo stores v a second time, behind nothing.
func (s *Stream) echo(v uint64, f *Fault) {
	if f.By == 0 {
		s.store(v)
		return
	}
	s.stores.echoes++
	s.dev.alarm.At(s.dev.alarm.Now().Add(f.By), func() { s.landEcho(v) })
}

// landEcho is run by the device's alarm; mu is not held.
func (s *Stream) landEcho(v uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stores.echoes == 0 {
		return // the stream was abandoned
	}
	s.stores.echoes--
	s.land(v)
	s.wakeRested()
}
