package cmd

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Columns returns how many columns of a terminal the text takes.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		switch k := width.LookupRune(r).Kind(); {
		case unicode.In(r, unicode.Mn, unicode.Me):
		case k == width.EastAsianWide || k == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

// narrowest is how much of the last column is shown at least, in columns of the terminal.
const narrowest = 16

// List lays rows out under a head. On a terminal the head is faint and the last column ends where the terminal does.
func (a *App) List(head []string, rows [][]string) string {
	all := append([][]string{head}, rows...)
	text := Table(fit(all, a.Width))
	first, rest, _ := strings.Cut(text, "\n")
	return a.Paint.Faint(first) + "\n" + rest
}

// fit shortens the last column so that no row is wider than n columns; 0 is any width.
func fit(rows [][]string, n int) [][]string {
	if n <= 0 {
		return rows
	}
	last := len(rows[0]) - 1
	before := 0
	for i := range last {
		widest := 0
		for _, row := range rows {
			widest = max(widest, Columns(row[i]))
		}
		before += widest + 2
	}
	for i, row := range rows {
		if most := max(n-before, narrowest); Columns(row[last]) > most {
			rows[i] = append(append([]string{}, row[:last]...), cut(row[last], most))
		}
	}
	return rows
}

// cut returns the beginning of s and an ellipsis, in at most n columns.
func cut(s string, n int) string {
	columns := 0
	for i, r := range s {
		if columns += Columns(string(r)); columns > n-1 {
			return s[:i] + "…"
		}
	}
	return s
}

// Fit returns a line, or as much of it as the terminal is wide.
func (a *App) Fit(s string, indent int) string {
	if a.Width <= 0 || Columns(s) <= max(a.Width-indent, narrowest) {
		return s
	}
	return cut(s, max(a.Width-indent, narrowest))
}

// Table lays rows out in columns; only the last column may be long.
func Table(rows [][]string) string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Columns(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			b.WriteString(cell)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-Columns(cell)+2))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
