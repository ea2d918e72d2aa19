package remote

import (
	"errors"
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

// start makes the pipes and the streams, starts the child and waits until it
// serves. After an error nothing is left of them.
func (d *Device) start(cfg Config, page *os.File) error {
	all, err := newPipes(cfg.Streams)
	if err != nil {
		return err
	}
	err = d.spawn(cfg, page, all)
	all.close(all.ofChild())
	if err != nil {
		all.close(all.ofParent())
		return err
	}
	d.doorbell = all.doorbell.write
	for i, p := range all.streams {
		d.streams = append(d.streams, newStream(d, i, p.read))
	}
	go d.watch()
	return d.serves(all.output.read)
}

func (d *Device) spawn(cfg Config, page *os.File, all *pipes) error {
	args := append(cfg.Command[1:len(cfg.Command):len(cfg.Command)], strconv.Itoa(cfg.Streams))
	d.child = exec.Command(cfg.Command[0], args...)
	d.child.ExtraFiles = append([]*os.File{page}, all.inherited()...)
	d.child.Stdout, d.child.Stderr = all.output.write, &d.stderr
	detach(d.child)
	return d.child.Start()
}

// serves reads the child's first line. A child that says something else, or
// nothing in time, is ended.
func (d *Device) serves(output *os.File) error {
	defer output.Close()
	late := time.AfterFunc(startBound, d.kill)
	line := make([]byte, len(readyLine))
	n, _ := io.ReadFull(output, line)
	late.Stop()
	if string(line[:n]) == readyLine {
		return nil
	}
	err := d.endStreams()
	return errors.Join(d.failed, err)
}

// endStreams ends the child, and then the streams.
func (d *Device) endStreams() error {
	err := d.doorbell.Close()
	late := time.AfterFunc(endBound, d.kill)
	<-d.lost
	late.Stop()
	for _, s := range d.streams {
		err = errors.Join(err, s.close())
	}
	return err
}

// kill ends the child, if it has not ended by itself.
func (d *Device) kill() { _ = d.child.Process.Kill() }

// watch waits for the child's end and closes lost, which ends every wait.
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
}
