package style

import (
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/sandbox/report"
)

// Tally counts removed things by kind, in the order in which the kinds were first met.
type Tally struct {
	list []report.Removal
}

// exampleLen bounds an example, in bytes.
const exampleLen = 60

// Add counts one removed thing; the first example of a kind is kept.
func (t *Tally) Add(what report.RemovalKind, example string) {
	t.AddMany(what, 1, example)
}

// AddMany counts n removed things of one kind.
func (t *Tally) AddMany(what report.RemovalKind, n int, example string) {
	for i := range t.list {
		if t.list[i].What == what {
			t.list[i].Count += n
			return
		}
	}
	t.list = append(t.list, report.Removal{What: what, Count: n, Example: Shorten(example, exampleLen)})
}

// AddAll counts the removals of another list.
func (t *Tally) AddAll(list []report.Removal) {
	for _, r := range list {
		t.AddMany(r.What, r.Count, r.Example)
	}
}

// List returns the removals: what would have acted or loaded first, then by what was met first.
func (t *Tally) List() []report.Removal {
	var list []report.Removal
	for w := range weights {
		for _, r := range t.list {
			if weight(r.What) == w {
				list = append(list, r)
			}
		}
	}
	return list
}

// weights is how many weights there are, from 0.
const weights = 5

func weight(w report.RemovalKind) int {
	switch w {
	case report.Scripts:
		return 0
	case report.Handlers:
		return 1
	case report.Loads:
		return 2
	case report.Styles, report.Attributes, report.Comments:
		return 4
	}
	return 3
}

// Shorten returns s in at most n bytes, without control characters and without half a character.
func Shorten(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s[:min(len(s), 4*n)], "\uFFFD"))
	s = strings.TrimSpace(s)
	if len(s) <= n {
		return s
	}
	s = s[:n-len("…")]
	for s != "" {
		if r, size := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || size != 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return s + "…"
}
