package remote

import "os"

// A bell is what one process rings and the other sleeps on. It has one end or
// two, as the system has it.
type bell struct{ ring, wait *os.File }

// shared says that both processes keep the one end.
func (b bell) shared() bool { return b.ring == b.wait }

// A pipe has an end for each process.
type pipe struct{ read, write *os.File }

// links are all that parent and child have in common, but for the page.
type links struct {
	// doorbell is rung by the parent.
	doorbell bell
	// lifeline is never written to: its end of file tells the child that the
	// parent closed it, or is gone.
	lifeline pipe
	// output is what the child prints.
	output pipe
	// streams are rung by the child.
	streams []bell
}

func newLinks(streams int) (l *links, err error) {
	l = &links{streams: make([]bell, streams)}
	bells, pipes := []*bell{&l.doorbell}, []*pipe{&l.lifeline, &l.output}
	for i := range l.streams {
		bells = append(bells, &l.streams[i])
	}
	for _, b := range bells {
		if *b, err = newBell(); err != nil {
			l.close()
			return nil, err
		}
	}
	for _, p := range pipes {
		if p.read, p.write, err = os.Pipe(); err != nil {
			l.close()
			return nil, err
		}
	}
	return l, nil
}

// inherited returns what the child gets as extra files behind the page.
func (l *links) inherited() []*os.File {
	files := []*os.File{l.doorbell.wait, l.lifeline.read}
	for _, b := range l.streams {
		files = append(files, b.ring)
	}
	return files
}

// closeOfChild closes the ends that are the child's alone, so that their end of
// file comes when the child is gone.
func (l *links) closeOfChild() {
	shut(l.lifeline.read, l.output.write)
	if !l.doorbell.shared() {
		shut(l.doorbell.wait)
	}
	for _, b := range l.streams {
		if !b.shared() {
			shut(b.ring)
		}
	}
}

// close closes what is open.
func (l *links) close() {
	shut(l.doorbell.ring, l.doorbell.wait, l.lifeline.read, l.lifeline.write, l.output.read, l.output.write)
	for _, b := range l.streams {
		shut(b.ring, b.wait)
	}
}

// shut closes files. That cannot fail in a way that matters: nothing is buffered.
func shut(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}
