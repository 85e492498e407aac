package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// A row is one line of the table. Its figure is compared with the floor and the aim; a row without a floor is only
// shown.
type row struct {
	what       string
	detail     string // what the figure was made of: both speeds of a ratio
	figure     float64
	format     string // how figure, floor and aim are printed: "%.1f×", "%.0f ms"
	floor, aim float64
	more       bool // a larger figure is better
}

// verdict says "aim" when the aim is met, "ok" when the floor is, else "SHORT".
func (r row) verdict() string {
	meets := func(goal float64) bool {
		if r.more {
			return r.figure >= goal
		}
		return r.figure <= goal
	}
	switch {
	case r.floor == 0:
		return ""
	case r.aim != 0 && meets(r.aim):
		return "aim"
	case meets(r.floor):
		return "ok"
	}
	return "SHORT"
}

func (r row) goal(value float64) string {
	if value == 0 {
		return "–"
	}
	return fmt.Sprintf(r.format, value)
}

type table struct {
	rows  []row
	notes []string
}

func (t *table) add(r row) { t.rows = append(t.rows, r) }

func (t *table) note(format string, args ...any) {
	t.notes = append(t.notes, fmt.Sprintf(format, args...))
}

// leaveOut notes that a part of the table could not be measured, and why.
func (t *table) leaveOut(part string, why error) { t.note("%s: not measured: %v", part, why) }

// print writes the rows, then which of them fall short, then the notes.
func (t *table) print(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "WHAT\tFIGURE\tFLOOR\tAIM\t\tMEASURED IN THE SAME RUN")
	var short []string
	for _, r := range t.rows {
		verdict := r.verdict()
		if verdict == "SHORT" {
			short = append(short, r.what)
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%s\n",
			r.what, fmt.Sprintf(r.format, r.figure), r.goal(r.floor), r.goal(r.aim), verdict, r.detail)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if len(short) == 0 {
		fmt.Fprintln(w, "Every measured row is at its floor or better.")
	} else {
		fmt.Fprintf(w, "Below the floor: %s.\n", strings.Join(short, "; "))
	}
	for _, note := range t.notes {
		fmt.Fprintln(w, note)
	}
	return nil
}
