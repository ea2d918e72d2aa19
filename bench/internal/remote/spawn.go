package remote

import (
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"gpureactor/port"
)

// How long a child may take to serve, and to end. Then it is killed.
const (
	startBound = 10 * time.Second
	endBound   = 2 * time.Second
)

// start makes the links and the streams, starts the child and waits until it
// serves. After an error nothing is left of them.
func (d *Device) start(cfg Config, page *os.File) (err error) {
	if d.links, err = newLinks(cfg.Streams); err != nil {
		return err
	}
	if err := d.spawn(cfg, page); err != nil {
		d.links.close()
		return err
	}
	d.links.closeOfChild()
	d.doorbell = int(d.links.doorbell.ring.Fd())
	for i, b := range d.links.streams {
		d.streams = append(d.streams, newStream(d, i, int(b.wait.Fd())))
	}
	d.watching.Go(d.watch)
	return d.serves()
}

func (d *Device) spawn(cfg Config, page *os.File) error {
	args := append(cfg.Command[1:len(cfg.Command):len(cfg.Command)], strconv.Itoa(cfg.Streams))
	d.child = exec.Command(cfg.Command[0], args...)
	d.child.ExtraFiles = append([]*os.File{page}, d.links.inherited()...)
	d.child.Stdout, d.child.Stderr = d.links.output.write, &d.stderr
	detach(d.child)
	return d.child.Start()
}

// serves reads the child's first line. A child that says something else, or
// nothing in time, is ended.
func (d *Device) serves() error {
	late := time.AfterFunc(startBound, d.kill)
	line := make([]byte, len(readyLine))
	n, _ := io.ReadFull(d.links.output.read, line)
	late.Stop()
	if string(line[:n]) == readyLine {
		return nil
	}
	d.end()
	return d.failed
}

// end ends the child, then the streams, and closes the links once nobody uses
// them.
func (d *Device) end() {
	shut(d.links.lifeline.write)
	late := time.AfterFunc(endBound, d.kill)
	d.watching.Wait()
	late.Stop()
	for _, s := range d.streams {
		s.close()
	}
	d.links.close()
}

// kill ends the child, if it has not ended by itself.
func (d *Device) kill() { _ = d.child.Process.Kill() }

// watch waits for the child's end, closes lost, which ends every wait, and wakes
// those who sleep.
func (d *Device) watch() {
	how := "it exited"
	if err := d.child.Wait(); err != nil {
		how = err.Error()
	}
	if said := d.stderr.String(); said != "" {
		how += ": " + said
	}
	d.failed = port.NewError(port.DeviceLost, "soft (child process)", how)
	close(d.lost)
	for _, b := range d.links.streams {
		if b.shared() { // else its end of file has come
			ring(int(b.ring.Fd()))
		}
	}
}
