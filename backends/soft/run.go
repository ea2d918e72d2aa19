package soft

import "errors"

// runTask runs the head, which stays queued meanwhile so that the stream is busy.
func (s *Stream) runTask(t task) {
	if !t.heavy() {
		t.settle(t.run() == nil)
		return
	}
	s.running = true
	err := s.runUnlocked(t)
	s.running, s.idle = false, true
	t.settle(err == nil)
}

// errExit is what a kernel failed with that ended its goroutine.
var errExit = errors.New("the kernel ended its goroutine (runtime.Goexit)")

// runUnlocked runs t with mu free and loses the device if t fails. If t ends the
// goroutine the drive ends here too: the frames above run their defers only, so
// the stream is put to rest on the way out.
func (s *Stream) runUnlocked(t task) error {
	s.mu.Unlock()
	err := errExit
	returned := false
	defer func() {
		if err != nil {
			s.dev.lose(s.dev.kernelError(t, err))
		}
		s.mu.Lock()
		if !returned {
			s.exit(t)
		}
	}()
	err = t.run()
	returned = true
	return err
}

// exit takes a task that ended its goroutine off the queue and ends the drive.
func (s *Stream) exit(t task) {
	s.running = false
	t.settle(false)
	s.queue.pop()
	s.rest()
}
