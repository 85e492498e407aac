// Package comparison tells what became of agents between two copies of their folders, and writes it as JSON. The command
// line and the npm package share it.
package comparison

import (
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
)

// Copy is an agent in one of the copies. Its folder was read with Options.Keep.
type Copy struct {
	Path   string // as reports name it
	Dir    string // its place in the copy
	Folder *figs.Folder
}

func (c *Copy) id() string {
	config, _ := figs.ReadConfig(c.Folder.Small(figs.ConfigJSON))
	return strings.ToLower(config.AgentID)
}

// Pair is an agent as it was and as it is. One of the two may be nil.
type Pair struct {
	Path       string
	Was, Is    *Copy
	Comparison *figs.Comparison // of the lines; nil if only records were compared
	Records    []figs.RecordChange
	Files      []FileChange
}

// Match pairs the agents of two copies: by their id, in their place if several have it, else the only ones. Agents that
// are gone come last.
func Match(old, new []*Copy) []*Pair {
	var pairs []*Pair
	taken := map[*Copy]bool{}
	for _, c := range new {
		o := mate(c, old, len(new), taken)
		taken[o] = true
		pairs = append(pairs, &Pair{Path: c.Path, Was: o, Is: c})
	}
	for _, o := range old {
		if !taken[o] {
			pairs = append(pairs, &Pair{Path: o.Path, Was: o})
		}
	}
	return pairs
}

// mate is the agent among older ones that a newer one was; nil if there is none.
func mate(c *Copy, old []*Copy, others int, taken map[*Copy]bool) *Copy {
	var same *Copy
	id := c.id()
	for _, o := range old {
		if taken[o] {
			continue
		}
		was := o.id()
		byID := id != "" && was == id
		if byID && (same == nil || o.Dir == c.Dir) || !byID && same == nil && (id == "" || was == "") && o.Dir == c.Dir {
			same = o
		}
	}
	if same == nil && len(old) == 1 && others == 1 {
		if was := old[0].id(); id == "" || was == "" || id == was {
			return old[0]
		}
	}
	return same
}

// Compare compares the lines, the records and the attachments of a pair. same reports whether an attachment that is as
// large in both copies has the same bytes.
func (p *Pair) Compare(key figs.FingerprintKey, same func(name string) (bool, error)) {
	if p.Was == nil || p.Is == nil {
		return
	}
	was, is := p.Was.Folder, p.Is.Folder
	p.Comparison = is.CompareWith(was, was.Print(key), is.Print(key), key)
	p.Records = is.CompareRecords(was)
	p.Files = fileChanges(is.CompareFiles(was), was, same)
}

// ID is the id of a record that is not as it was.
func (p *Pair) ID(r figs.RecordChange) string {
	if r.New >= 0 {
		return p.Is.Folder.ID(r.File, r.New)
	}
	return p.Was.Folder.ID(r.File, r.Old)
}

var outcomeWords = [...]string{figs.OutcomeOK: "ok", figs.OutcomeWarn: "warn", figs.OutcomeFail: "fail", figs.OutcomeInFlight: "in flight", figs.OutcomeUnknown: "unknown status"}

// States returns the states of a record in both copies, as in the JSON. A state is "" if the record is missing or a reply.
func (p *Pair) States(r figs.RecordChange) (was, is string) {
	state := func(c *Copy, n int) string {
		switch {
		case n < 0 || r.File == figs.Messages:
			return ""
		case r.File == figs.Asks:
			return c.Folder.State(n).Phase.String()
		}
		return outcomeWords[c.Folder.Outcome(n)]
	}
	return state(p.Was, r.Old), state(p.Is, r.New)
}

// Past is the name of what a comparison amounts to: "exchanged" if no line was changed, and attached files were.
func (p *Pair) Past() string {
	if n, _ := p.FilesRewritten(); n > 0 && p.Comparison.History() == figs.HistoryUnchanged {
		return "exchanged"
	}
	return p.Comparison.History().String()
}

// FileChange is what became of one file.
type FileChange struct {
	figs.FileChange
	Attached  bool // by a line of the older copy: then its bytes must stay (§7)
	Decisions []Decision
}

// Decision is a decision of the older copy on an ask that attached a file.
type Decision struct {
	Ask     string `json:"ask" jsonschema:"id of the ask"`
	Message string `json:"message" jsonschema:"id of the reply"`
	Verdict string `json:"verdict,omitempty" jsonschema:"of a sign-off"`
	By      string `json:"by,omitempty"`
}

// Rewritten reports whether an attached file was replaced or is gone.
func (c *FileChange) Rewritten() bool {
	return c.Attached && (c.Kind == figs.FileDiffers || c.Kind == figs.FileDeleted)
}

// Unread reports whether an attached file could not be compared.
func (c *FileChange) Unread() bool { return c.Attached && c.Kind == figs.FileSameSize }

// FilesRewritten counts the attached files that were replaced or are gone, and those that could not be compared.
func (p *Pair) FilesRewritten() (rewritten, unread int) {
	for i := range p.Files {
		if p.Files[i].Rewritten() {
			rewritten++
		}
		if p.Files[i].Unread() {
			unread++
		}
	}
	return rewritten, unread
}

// fileChanges leaves out the files whose bytes are the same, and says of the others whether they were attached and which
// decisions were made on asks that attach them. A file that cannot be read stays figs.FileSameSize.
func fileChanges(list []figs.FileChange, was *figs.Folder, same func(name string) (bool, error)) []FileChange {
	var left []FileChange
	asks := attachingAsks(was)
	for _, c := range list {
		if c.Kind == figs.FileSameSize {
			equal, err := same(c.Name)
			if equal {
				continue
			}
			if err == nil {
				c.Kind = figs.FileDiffers
			}
		}
		change := FileChange{FileChange: c}
		if c.Artifact && c.Old >= 0 {
			attaching, attached := asks[c.Name]
			change.Attached = attached
			for _, a := range attaching {
				change.Decisions = append(change.Decisions, decisionsOn(was, a.ask, a.round)...)
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
func decisionsOn(f *figs.Folder, ask, round int) (list []Decision) {
	for _, r := range f.Thread(ask) {
		if r.Round < round {
			continue
		}
		first, _, _ := f.Ends(figs.Messages, r.Message)
		m := figs.ReadMessage(figs.Fold([][]byte{f.Bytes(figs.Messages, first)}))
		list = append(list, Decision{f.ID(figs.Asks, ask), f.ID(figs.Messages, r.Message), m.Verdict, m.By})
	}
	return list
}
