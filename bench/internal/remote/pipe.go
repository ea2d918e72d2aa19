package remote

import "os"

var oneByte = []byte{1}

// writeByte writes one byte. It blocks only on a full pipe.
func writeByte(f *os.File) error {
	_, err := f.Write(oneByte)
	return err
}

// A pipe is one that the parent made. Each process keeps one end.
type pipe struct{ read, write *os.File }

// pipes are all those between parent and child.
type pipes struct {
	// doorbell is written by the parent, the others by the child.
	doorbell, output pipe
	streams          []pipe
}

func newPipes(streams int) (*pipes, error) {
	p := &pipes{streams: make([]pipe, streams)}
	for _, at := range p.all() {
		r, w, err := os.Pipe()
		if err != nil {
			p.close(p.ofParent())
			p.close(p.ofChild())
			return nil, err
		}
		*at = pipe{r, w}
	}
	return p, nil
}

func (p *pipes) all() []*pipe {
	all := []*pipe{&p.doorbell, &p.output}
	for i := range p.streams {
		all = append(all, &p.streams[i])
	}
	return all
}

// inherited returns the ends that the child gets as extra files, in order.
func (p *pipes) inherited() []*os.File {
	ends := []*os.File{p.doorbell.read}
	for _, s := range p.streams {
		ends = append(ends, s.write)
	}
	return ends
}

func (p *pipes) ofChild() []*os.File { return append(p.inherited(), p.output.write) }

func (p *pipes) ofParent() []*os.File {
	ends := []*os.File{p.doorbell.write, p.output.read}
	for _, s := range p.streams {
		ends = append(ends, s.read)
	}
	return ends
}

// close closes ends of pipes, which cannot fail in a way that matters: there is
// nothing buffered. Closing the child's ends here makes the end of file come when
// the child is gone.
func (p *pipes) close(ends []*os.File) {
	for _, f := range ends {
		if f != nil {
			f.Close()
		}
	}
}
