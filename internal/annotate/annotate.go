// Package annotate writes the findings of a check in the formats of CI services: workflow commands and a job summary
// for GitHub, Code Quality for GitLab, and JUnit. It opens nothing and knows no clock. All text in a finding may be an
// agent's, so no text can begin a command, an element, a table cell, a link or a mention.
package annotate

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
)

// Finding is a rule broken in one place, or a line of history that was rewritten.
type Finding struct {
	Rule     string // "ask_type_unknown"
	Title    string // the rule in a few words; may be ""
	Severity figs.Severity
	Path     string // of the file, slash-separated, from the folder where the command ran
	Line     int    // from 1; 0: the file as a whole
	Record   string
	Pointer  string
	Message  string
	Hint     string
}

// Ask is an ask that waits for a person.
type Ask struct {
	ID, Title, Type, Since string
}

// Folder is one folder that was checked.
type Folder struct {
	Path     string // "agents/close/.figs"
	Name     string // the agent's; "" when it has none
	Contents string // "3 runs, 2 asks, 1 message"
	Findings []Finding
	Unlisted map[figs.Severity]int // findings that are counted and not listed
	Open     []Ask
	Changes  []Change // since the base revision
}

// Change is a record that is new or not as it was.
type Change struct {
	Kind, Record, ID, State string // "new", "ask", "send-statement", "needs you"
}

// Report is everything that one run found.
type Report struct {
	Folders []Folder
	// Base is the revision that the folders were compared with; "" when they were not compared.
	Base string
	// Notes are sentences about what was not checked or not compared.
	Notes []string
	// Fails is the lowest severity that fails the run.
	Fails figs.Severity
	// Never says that findings don't fail the run.
	Never bool
}

// placed is a finding with the folder that it is in.
type placed struct {
	*Finding
	folder *Folder
}

// findings returns all findings, errors first, otherwise in the order of the folders.
func (r *Report) findings() []placed {
	var all []placed
	for i := range r.Folders {
		for j := range r.Folders[i].Findings {
			all = append(all, placed{&r.Folders[i].Findings[j], &r.Folders[i]})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return int(b.Severity) - int(a.Severity) })
	return all
}

// Count returns how many findings of a severity a folder has, listed or not.
func (f *Folder) Count(s figs.Severity) int {
	n := f.Unlisted[s]
	for i := range f.Findings {
		if f.Findings[i].Severity == s {
			n++
		}
	}
	return n
}

// Count returns how many findings of a severity there are, listed or not.
func (r *Report) Count(s figs.Severity) (n int) {
	for i := range r.Folders {
		n += r.Folders[i].Count(s)
	}
	return n
}

// fails reports whether a finding of this severity fails the run.
func (r *Report) fails(s figs.Severity) bool { return !r.Never && s >= r.Fails }

// Failed reports whether the run has findings that fail it.
func (r *Report) Failed() bool {
	for s := range figs.Error + 1 {
		if r.fails(s) && r.Count(s) > 0 {
			return true
		}
	}
	return false
}

// says is the message and the hint.
func (f *Finding) says() string { return strings.TrimSpace(f.Message + " " + f.Hint) }

// file is the file that a code host can show, which is the folder itself where the finding names no file.
func (p placed) file() string {
	if p.Path != "" {
		return p.Path
	}
	return p.folder.Path
}

// clean makes characters visible that break lines or can't be seen.
func clean(s string) string {
	plain := func(r rune) bool { return r != utf8.RuneError && !odd(r) }
	if strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for _, r := range s {
		switch {
		case plain(r):
			b.WriteRune(r)
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case r == utf8.RuneError:
			b.WriteString("\uFFFD")
		default:
			b.WriteString("U+")
			for shift := 20; shift >= 0; shift -= 4 {
				if r>>shift > 0 || shift < 16 {
					b.WriteByte(digits[r>>shift&15])
				}
			}
		}
	}
	return b.String()
}

func odd(r rune) bool {
	return unicode.IsControl(r) || figs.IsHidden(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) || r == 0xFFFE || r == 0xFFFF
}

// shorten returns s in at most n runes.
func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
