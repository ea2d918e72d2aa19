package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"gpureactor/bench/internal/arm"
	"gpureactor/bench/internal/report"
	"gpureactor/bench/internal/rig"
	"gpureactor/bench/internal/workload"
)

// writeReport writes the table, what the arms are, the notes and the choice.
func writeReport(w io.Writer, s *session) error {
	m := report.ThisMachine()
	var b strings.Builder
	fmt.Fprintf(&b, "device %s, host %s, %s, %d cores, %s, %s; %s\n",
		s.options.Device.Name, s.options.Host.Name, m.CPU, m.Cores, m.Kernel, m.Go, s.cores)
	if err := report.WriteTable(&b, s.rows); err != nil {
		return err
	}
	for _, a := range s.options.Arms {
		if a.Kind == arm.Plan && a.Name != a.Text {
			fmt.Fprintf(&b, "%s is %s\n", a.Name, a.Text)
		}
	}
	for _, n := range s.notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	fmt.Fprintln(&b, chosen(s))
	_, err := io.WriteString(w, b.String())
	return err
}

// chosen is the last line: which plan to use on this device, and why.
func chosen(s *session) string {
	c := report.Pick(s.rows)
	if c.Plan == "" {
		return "pick: none, " + c.Why
	}
	return fmt.Sprintf("pick for %s: %s, %s", s.options.Device.Name, c.Plan, c.Why)
}

// writeList writes what there is to choose from, and why some of it is not there.
func writeList(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, d := range rig.Devices() {
		fmt.Fprintf(t, "device\t%s\t%s%s\n", d.Name, d.Text, unavailable(d.Missing()))
	}
	for _, h := range rig.Hosts() {
		fmt.Fprintf(t, "host\t%s\t%s%s\n", h.Name, h.Text, unavailable(h.Missing()))
	}
	for _, a := range append(arm.Plans(), arm.Peers()...) {
		fmt.Fprintf(t, "%s\t%s\t%s\n", a.Kind, a.Name, a.Text)
	}
	for _, f := range workload.Forms() {
		fmt.Fprintf(t, "workload\t%s\t%s\n", f.Text, f.Meaning)
	}
	return t.Flush()
}

func unavailable(why string) string {
	if why == "" {
		return ""
	}
	return "; not available: " + why
}
