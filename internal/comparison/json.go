package comparison

import (
	"strings"

	"github.com/figs-web/figs-web/figs"
)

// Names of kinds of changes, in sentences. Result has them with hyphens instead of spaces.
var (
	LineKinds   = [...]string{figs.LineEdited: "edited", figs.LineRemoved: "removed", figs.LineMoved: "moved", figs.LineInserted: "inserted"}
	RecordKinds = [...]string{
		figs.RecordNew: "new", figs.RecordDeleted: "lost", figs.AskRaised: "asked again", figs.AskAnswered: "replied to", figs.AskClosed: "closed",
		figs.JobSettled: "settled", figs.RecordChanged: "changed",
	}
	FileKinds = [...]string{figs.FileNew: "new", figs.FileDeleted: "gone", figs.FileDiffers: "other bytes", figs.FileSameSize: "not compared"}
)

func kindName(words string) string { return strings.ReplaceAll(words, " ", "-") }

// Result is what became of agents.
type Result struct {
	Rewritten bool     `json:"rewritten" jsonschema:"something that was written before was changed or is gone"`
	Folders   []Folder `json:"folders"`
}

// Folder is what became of one agent.
type Folder struct {
	Path      string   `json:"path"`
	Missing   string   `json:"missing,omitempty" jsonschema:"the copy that does not have it, old or new"`
	Past      string   `json:"past,omitempty" jsonschema:"the overall result, one of the words that figs-web compare --help explains"`
	Rewritten bool     `json:"rewritten" jsonschema:"lines or attachments were changed or are gone"`
	Ledgers   []Ledger `json:"ledgers,omitempty"`
	Lines     []Line   `json:"lines" jsonschema:"earlier lines that changed"`
	Records   []Record `json:"records"`
	Files     []File   `json:"files"`
}

// Ledger counts the lines of a ledger.
type Ledger struct {
	File      string `json:"file"`
	Old       int    `json:"old" jsonschema:"lines of the older copy"`
	Same      int    `json:"same" jsonschema:"of these, lines that did not change"`
	Added     int    `json:"added"`
	Gone      bool   `json:"gone,omitempty"`
	Completed bool   `json:"completed,omitempty" jsonschema:"an incomplete last line was completed"`
	Joined    bool   `json:"joined,omitempty" jsonschema:"text was added to an incomplete last line"`
	Dropped   bool   `json:"dropped,omitempty" jsonschema:"an incomplete last line was removed"`
	Ends      int    `json:"otherLineEnds,omitempty" jsonschema:"lines with another line ending"`
}

// Line is an earlier line that changed.
type Line struct {
	Kind    string  `json:"kind" jsonschema:"edited, removed, moved or inserted"`
	File    string  `json:"file"`
	OldLine int     `json:"oldLine,omitempty"`
	NewLine int     `json:"newLine,omitempty"`
	Old     *string `json:"old,omitempty" jsonschema:"the line as it was"`
	New     *string `json:"new,omitempty" jsonschema:"the line as it is"`
}

// Record is a record that is not as it was.
type Record struct {
	Kind string `json:"kind" jsonschema:"new, lost, asked-again, replied-to, closed, settled or changed"`
	File string `json:"file"`
	ID   string `json:"id"`
	Old  string `json:"old,omitempty" jsonschema:"its state before"`
	New  string `json:"new,omitempty" jsonschema:"its state now"`
}

// File is an attachment that is not as it was.
type File struct {
	Kind string `json:"kind" jsonschema:"new, gone, other-bytes or not-compared"`
	Name string `json:"name"`
	Old  int64  `json:"oldSize" jsonschema:"in bytes; -1 if it was not there"`
	New  int64  `json:"newSize" jsonschema:"in bytes; -1 if it is not there"`

	Attached  bool       `json:"attached,omitempty" jsonschema:"a line of the older copy attaches it"`
	Decisions []Decision `json:"decisions,omitempty" jsonschema:"on asks that attach it"`
}

// NewResult is what became of all pairs.
func NewResult(pairs []*Pair) Result {
	all := Result{Folders: []Folder{}}
	for _, p := range pairs {
		f := p.result()
		all.Rewritten = all.Rewritten || f.Rewritten
		all.Folders = append(all.Folders, f)
	}
	return all
}

func (p *Pair) result() Folder {
	f := Folder{Path: p.Path, Lines: []Line{}, Records: []Record{}, Files: []File{}}
	switch {
	case p.Was == nil:
		f.Missing = "old"
	case p.Is == nil:
		f.Missing, f.Rewritten = "new", true
	case p.Comparison != nil:
		files, _ := p.FilesRewritten()
		f.Past, f.Rewritten = p.Past(), p.Comparison.Rewritten() || files > 0
		for i := range p.Comparison.Ledgers {
			l := &p.Comparison.Ledgers[i]
			f.Ledgers = append(f.Ledgers, Ledger{l.File.String(), l.Old, l.Same, l.Added, l.Gone, l.Completed, l.Joined, l.Dropped, l.Ends})
			for _, c := range l.Changes {
				old, new := p.Comparison.Texts(l.File, c)
				f.Lines = append(f.Lines, Line{kindName(LineKinds[c.Kind]), l.File.String(), c.Old, c.New, text(old), text(new)})
			}
		}
	}
	for _, r := range p.Records {
		was, is := p.States(r)
		f.Records = append(f.Records, Record{kindName(RecordKinds[r.Kind]), r.File.String(), p.ID(r), was, is})
	}
	for i := range p.Files {
		c := &p.Files[i]
		f.Files = append(f.Files, File{kindName(FileKinds[c.Kind]), c.Name, c.Old, c.New, c.Attached, c.Decisions})
	}
	return f
}

// text is a line as a string; nil if there is none.
func text(b []byte) *string {
	if b == nil {
		return nil
	}
	s := string(b)
	return &s
}
