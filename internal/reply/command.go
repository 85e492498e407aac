package reply

import (
	"strings"

	"github.com/figs-web/figs-web/figs"
)

// Command is the same reply as a command of a figs client for a POSIX shell. Every word that was
// not ours is quoted, so that no shell reads more in it than its letters, and stands behind the
// name of its option, so that a client takes none for an option of its own. It is "" for an id that
// no client takes: one that begins as options do.
func (f *Form) Command(ask figs.Object, by string) string {
	id := ask.Get("id").Text()
	if id == "" || id[0] == '-' {
		return ""
	}
	words := []string{"figs", "answer", Quote(id), "--by=" + Quote(by)}
	switch f.Verdict {
	case "approved":
		words = append(words, "--approve")
	case "changes-requested":
		words = append(words, "--request-changes")
	case "rejected":
		words = append(words, "--reject")
	}
	if chosen := f.option(ask); chosen != "" {
		words = append(words, "--chosen="+Quote(chosen))
	}
	if text := oneBreak(f.Text); text != "" {
		words = append(words, "--text="+Quote(text))
	}
	return strings.Join(words, " ")
}

// Quote makes one word of any text for a POSIX shell.
func Quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
