package check

import (
	"bufio"
	"fmt"
	"path"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
)

// attachmentChange is what became of one file. Attached says that a line of the older folder attaches it: then its bytes
// must stay (§7), and other bytes, or none, rewrite what was shown.
type attachmentChange struct {
	figs.FileChange
	attached  bool
	decisions []DecidedOn
}

// DecidedOn is a decision of the older folder on an ask that attached a file.
type DecidedOn struct {
	Ask     string `json:"ask"`
	Message string `json:"message"`
	Verdict string `json:"verdict,omitempty"` // of a sign-off
	By      string `json:"by,omitempty"`
}

// rewritten reports whether an attached file was replaced or is gone.
func (c *attachmentChange) rewritten() bool {
	return c.attached && (c.Kind == figs.FileDiffers || c.Kind == figs.FileDeleted)
}

// unread reports whether an attached file could not be compared.
func (c *attachmentChange) unread() bool { return c.attached && c.Kind == figs.FileSameSize }

// attachmentChanges leaves out the files whose bytes are the same, and says of the others whether they were attached and
// which decisions were made on asks that attach them. A file that cannot be read stays FileAlike.
func attachmentChanges(list []figs.FileChange, f *figs.Folder, was *input.Source, o *folder.Contents, is *input.Source, n *folder.Contents) []attachmentChange {
	var left []attachmentChange
	asks := attachingAsks(f)
	for _, c := range list {
		if c.Kind == figs.FileSameSize {
			same, err := sameBytes(was, path.Join(o.Dir, "artifacts", c.Name), is, path.Join(n.Dir, "artifacts", c.Name))
			if same {
				continue
			}
			if err == nil {
				c.Kind = figs.FileDiffers
			}
		}
		change := attachmentChange{FileChange: c}
		if c.Artifact && c.Old >= 0 {
			attaching, attached := asks[c.Name]
			change.attached = attached
			for _, a := range attaching {
				change.decisions = append(change.decisions, decisionsOn(f, a.ask, a.round)...)
			}
		}
		left = append(left, change)
	}
	return left
}

// attaching is an ask that attaches a file, and the first round in which it does.
type attaching struct{ ask, round int }

// attachingAsks are the asks that attach each file, by its name. A file that only jobs attach has none.
func attachingAsks(f *figs.Folder) map[string][]attaching {
	names, asks := f.Attachments(), map[string][]attaching{}
	for _, m := range f.Mentions() {
		name := names[m.Attachment].Name
		list := asks[name]
		if m.File == figs.Asks && m.Line.Record >= 0 && !slices.ContainsFunc(list, func(a attaching) bool { return a.ask == m.Line.Record }) {
			list = append(list, attaching{m.Line.Record, roundOf(f, m.Line)})
		}
		asks[name] = list
	}
	return asks
}

// roundOf is the round that a line of an ask belongs to.
func roundOf(f *figs.Folder, line figs.LineRef) int {
	i := slices.IndexFunc(f.Trail(figs.Asks, line.Record), func(l figs.LineRef) bool { return l.Number == line.Number })
	if i < 0 {
		return 1
	}
	return f.Rounds(line.Record)[i]
}

// decisionsOn are the replies to an ask in a round or a later one, in time order: those before cannot have seen what the
// round attached.
func decisionsOn(f *figs.Folder, ask, round int) (list []DecidedOn) {
	for _, r := range f.Thread(ask) {
		if r.Round < round {
			continue
		}
		first, _, _ := f.Ends(figs.Messages, r.Message)
		m := figs.ReadMessage(figs.Fold([][]byte{f.Bytes(figs.Messages, first)}))
		list = append(list, DecidedOn{f.ID(figs.Asks, ask), f.ID(figs.Messages, r.Message), m.Verdict, m.By})
	}
	return list
}

// filesRewritten counts the attached files that were replaced or are gone, and those that could not be compared.
func (p *pair) filesRewritten() (rewritten, unread int) {
	for i := range p.files {
		if p.files[i].rewritten() {
			rewritten++
		}
		if p.files[i].unread() {
			unread++
		}
	}
	return rewritten, unread
}

// past is the name of what a comparison amounts to: "exchanged" where no line was changed, and attached files were.
func (p *pair) past() string {
	if n, _ := p.filesRewritten(); n > 0 && p.comparison.History() == figs.HistoryUnchanged {
		return "exchanged"
	}
	return p.comparison.History().String()
}

// printFiles prints what became of files, for people.
func printFiles(a *cmd.App, out *bufio.Writer, p *pair) {
	for i := range p.files {
		c := &p.files[i]
		line := fmt.Sprintf("  %-11s file %s", fileKinds[c.Kind], cmd.Clean(c.Name))
		if c.rewritten() || c.unread() {
			line = a.Paint.Red(line + ", previously attached")
		}
		fmt.Fprintln(out, line)
		if !c.rewritten() {
			continue
		}
		for n, d := range c.decisions {
			if n == mostShown {
				fmt.Fprintf(out, "    and %d more; --json lists all\n", len(c.decisions)-n)
				break
			}
			word := d.Verdict
			if word == "" {
				word = "answered"
			}
			by := ""
			if d.By != "" {
				by = " by " + cmd.Clean(d.By)
			}
			fmt.Fprintln(out, "    "+a.Paint.Red(fmt.Sprintf("ask %s attaches it and was decided: %s%s (reply %s)", cmd.Clean(firstWord(d.Ask)), cmd.Clean(word), by, cmd.Clean(firstWord(d.Message)))))
		}
	}
}
