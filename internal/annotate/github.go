package annotate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
)

// PerKind is how many annotations of a kind GitHub shows for one step of a job.
const PerKind = 10

// mostFiles is how many files the line about findings that are not shown names.
const mostFiles = 3

var commands = map[figs.Severity]string{figs.Error: "error", figs.Warning: "warning", figs.Info: "notice"}

var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub appends workflow commands, one per line. GitHub shows ten of each kind: the most severe findings come first, and
// when there are more than it shows, the last notice says how many, and where they are.
func GitHub(dst []byte, r *Report) []byte {
	all := r.findings()
	room := map[figs.Severity]int{figs.Error: PerKind, figs.Warning: PerKind, figs.Info: PerKind}
	notes := r.Notes
	room[figs.Info] -= len(notes)
	if r.hides(room) {
		room[figs.Info]--
	}
	hidden, where := 0, map[string]int{}
	for _, f := range all {
		if room[f.Severity]--; room[f.Severity] >= 0 {
			dst = command(dst, commands[f.Severity], f.Finding, f.file())
			continue
		}
		hidden++
		where[f.file()]++
	}
	for i := range r.Folders {
		for _, n := range r.Folders[i].Unlisted {
			hidden += n
			where[r.Folders[i].Path] += n
		}
	}
	for _, note := range notes {
		dst = command(dst, "notice", &Finding{Title: "figs-web doctor", Message: note}, "")
	}
	if hidden > 0 {
		dst = command(dst, "notice", &Finding{Title: "figs-web doctor", Message: hiddenSays(hidden, where)}, "")
	}
	return dst
}

// hides reports whether there are findings that don't fit.
func (r *Report) hides(room map[figs.Severity]int) bool {
	for s, n := range room {
		if r.Count(s) > max(0, n) {
			return true
		}
	}
	for i := range r.Folders {
		for _, n := range r.Folders[i].Unlisted {
			if n > 0 {
				return true
			}
		}
	}
	return false
}

func hiddenSays(n int, where map[string]int) string {
	files := make([]string, 0, len(where))
	for file, count := range where {
		if count > 0 {
			files = append(files, file)
		}
	}
	slices.SortFunc(files, func(a, b string) int {
		if where[a] != where[b] {
			return where[b] - where[a]
		}
		return strings.Compare(a, b)
	})
	var parts []string
	for _, file := range files[:min(len(files), mostFiles)] {
		parts = append(parts, fmt.Sprintf("%d in %s", where[file], clean(file)))
	}
	if more := len(files) - mostFiles; more > 0 {
		parts = append(parts, counted(more, "other file", "other files"))
	}
	return counted(n, "more finding is", "more findings are") + " not shown here: " + strings.Join(parts, ", ") + ". To list all, run figs-web doctor."
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// command appends one workflow command.
func command(dst []byte, name string, f *Finding, file string) []byte {
	dst = append(append(dst, "::"...), name...)
	separator := byte(' ')
	property := func(key, value string) {
		if value != "" {
			dst = append(dst, separator)
			dst = append(append(append(dst, key...), '='), escapeProperty.Replace(clean(value))...)
			separator = ','
		}
	}
	property("file", file)
	if f.Line > 0 {
		property("line", fmt.Sprint(f.Line))
	}
	title := f.Title
	if f.Rule != "" {
		title = f.Rule
	}
	property("title", title)
	dst = append(dst, "::"...)
	dst = append(dst, escapeData.Replace(clean(f.says()))...)
	return append(dst, '\n')
}
