// Package table prints what was measured beside the floor and the aim that we set ourselves, for make bench and make load.
package table

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Row is one line of the table. Its figure is compared with the floor and the aim; a row without a floor is only
// shown.
type Row struct {
	What       string
	Detail     string // what the figure was made of: both speeds of a ratio
	Figure     float64
	Format     string // how figure, floor and aim are printed: "%.1f×", "%.0f ms"
	Floor, Aim float64
	More       bool // a larger figure is better
}

// verdict says "aim" when the aim is met, "ok" when the floor is, else "SHORT".
func (r Row) verdict() string {
	meets := func(goal float64) bool {
		if r.More {
			return r.Figure >= goal
		}
		return r.Figure <= goal
	}
	switch {
	case r.Floor == 0:
		return ""
	case r.Aim != 0 && meets(r.Aim):
		return "aim"
	case meets(r.Floor):
		return "ok"
	}
	return "SHORT"
}

func (r Row) goal(value float64) string {
	if value == 0 {
		return "–"
	}
	return fmt.Sprintf(r.Format, value)
}

// Table is what one run has measured.
type Table struct {
	rows  []Row
	notes []string
}

// Add puts a row at the end.
func (t *Table) Add(r Row) { t.rows = append(t.rows, r) }

// Note puts a sentence below the rows.
func (t *Table) Note(format string, args ...any) {
	t.notes = append(t.notes, fmt.Sprintf(format, args...))
}

// LeaveOut notes that a part of the table could not be measured, and why.
func (t *Table) LeaveOut(part string, why error) { t.Note("%s: not measured: %v", part, why) }

// Print writes the rows, then which of them fall short, then the notes.
func (t *Table) Print(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "WHAT\tFIGURE\tFLOOR\tAIM\t\tMEASURED IN THE SAME RUN")
	var short []string
	for _, r := range t.rows {
		verdict := r.verdict()
		if verdict == "SHORT" {
			short = append(short, r.What)
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%s\n",
			r.What, fmt.Sprintf(r.Format, r.Figure), r.goal(r.Floor), r.goal(r.Aim), verdict, r.Detail)
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

// Markdown writes the same as Print, as a Markdown table.
func (t *Table) Markdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| what | figure | floor | aim | | measured in the same run |\n|---|---:|---:|---:|---|---|\n")
	for _, r := range t.rows {
		verdict := strings.ReplaceAll(r.verdict(), "SHORT", "**short**")
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", cell(r.What), fmt.Sprintf(r.Format, r.Figure), r.goal(r.Floor), r.goal(r.Aim), verdict, cell(r.Detail))
	}
	if len(t.notes) > 0 {
		b.WriteByte('\n')
	}
	for _, note := range t.notes {
		fmt.Fprintf(&b, "- %s\n", note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// cell escapes a text for a cell of a Markdown table.
func cell(s string) string { return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s) }
