package remote

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"gpureactor/backends/soft"
	"gpureactor/internal/hostmem"
	"gpureactor/port"
)

// ChildArgument is the first argument of a child process. The program that it is
// passed to must call [Serve] with the arguments behind it.
const ChildArgument = "serve-device"

// The files that a child inherits, and what it prints once it serves.
const (
	pageFile = 3 + iota
	doorbellFile
	lifelineFile
	firstBell

	readyLine = "ready\n"
)

// Serve is the whole life of a child process: it serves the device whose page and
// bells it inherited until the parent closes the lifeline, and returns the exit
// status. args is what [Open] passed.
func Serve(args []string, stdout, stderr io.Writer) int {
	if err := serve(args, stdout); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

func serve(args []string, stdout io.Writer) error {
	streams, err := parseArguments(args)
	if err != nil {
		return err
	}
	page, err := hostmem.MapShared(os.NewFile(pageFile, "page"), pageLines(streams))
	if err != nil {
		return err
	}
	defer page.Release()
	host, err := newHost()
	if err != nil {
		return err
	}
	defer host.Close()
	b := &doorbell{host: host, fd: doorbellFile, life: lifelineFile}
	if err := b.watch(); err != nil {
		return err
	}
	return serveOn(layout{page, streams}, host, b.closed.Load, stdout)
}

func parseArguments(args []string) (streams int, err error) {
	if len(args) != 1 {
		return 0, port.NewError(port.InvalidConfig, "arguments of a device process",
			strconv.Itoa(len(args))+" of them", "the number of streams")
	}
	streams, err = strconv.Atoi(args[0])
	if err != nil {
		return 0, port.NewError(port.OutOfRange, "number of streams", strconv.Quote(args[0]), "a number")
	}
	return streams, checkStreams(streams)
}

// serveOn opens the device and runs the engine.
func serveOn(l layout, host port.Host, closing func() bool, stdout io.Writer) (err error) {
	e := &engine{layout: l, alarms: &alarms{Clock: host}, host: host, closing: closing, bell: l.bell()}
	device, err := soft.Open(soft.Config{Alarm: e.alarms, Lines: l.words(), Stamps: l.stamps()})
	if err != nil {
		return err
	}
	for i := range l.streams {
		if err := e.add(device, i); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(stdout, readyLine); err != nil {
		return err
	}
	return e.run()
}

// add opens stream i, whose word must be the one that the parent looks at.
func (e *engine) add(device port.Device, i int) error {
	stream, err := device.NewStream()
	if err != nil {
		return err
	}
	q, ok := stream.(queue)
	if !ok || stream.Word() != word(e.layout.words(), i) {
		return port.NewError(port.InvalidSource, "stream "+strconv.Itoa(i)+" is not on its word")
	}
	e.streams = append(e.streams, &served{
		queue: q, commands: e.layout.commands(i), word: stream.Word(),
		taken: e.layout.taken(i), blocked: e.layout.blocked(i),
		bell: firstBell + i,
	})
	return nil
}
