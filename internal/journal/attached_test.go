package journal

import (
	"strings"
	"testing"
)

// TestAttached tests that the files of an ask are those that it names now, even if the line that names them has neither
// type nor time.
func TestAttached(t *testing.T) {
	line := func(what, file string) (m TrailEntry) {
		m.Raises, m.Closes = what == "raise", what == "close"
		if file != "" {
			m.Files = []File{{Name: file}}
		}
		return m
	}
	names := func(files []File) string {
		var all []string
		for _, f := range files {
			all = append(all, f.Name)
		}
		return strings.Join(all, " ")
	}
	for name, c := range map[string]struct {
		trail        []TrailEntry
		now, earlier string
	}{
		"raised":                             {[]TrailEntry{line("raise", "a")}, "a", ""},
		"raised again":                       {[]TrailEntry{line("raise", "a"), line("raise", "b")}, "b", "a"},
		"raised again without files":         {[]TrailEntry{line("raise", "a"), line("raise", "")}, "a", ""},
		"changed by a line without type":     {[]TrailEntry{line("raise", "a"), line("", "b")}, "b", "a"},
		"closed with the outcome":            {[]TrailEntry{line("raise", "a"), line("close", "b")}, "a", "b"},
		"closed, then a note":                {[]TrailEntry{line("raise", "a"), line("close", ""), line("", "b")}, "a", "b"},
		"closed, raised again, then changed": {[]TrailEntry{line("raise", "a"), line("close", "b"), line("raise", ""), line("", "c")}, "c", "a b"},
		"only closed with files":             {[]TrailEntry{line("raise", ""), line("close", "a")}, "a", ""},
	} {
		now, earlier := Attached(c.trail)
		if names(now) != c.now || names(earlier) != c.earlier {
			t.Errorf("%s: now %q, earlier %q; want %q, %q", name, names(now), names(earlier), c.now, c.earlier)
		}
	}
}
