package check

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/annotate"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/comparison"
)

// baseline is the git revision with which folders are compared. A nil one is none.
type baseline struct {
	rev    string        // as given
	commit string        // its full id; "" when it can't be read
	source *input.Source // the folders that changed, as the revision has them
	paths  []string      // files that differ from the revision, below what is checked
	notes  []string      // why something was not compared
	pairs  []*comparison.Pair
}

// known reports whether the revision could be read.
func (b *baseline) known() bool { return b != nil && b.commit != "" }

func (b *baseline) close() {
	if b != nil && b.source != nil {
		b.source.Close()
	}
}

// touches reports whether a file in a folder changed.
func (b *baseline) touches(dir string) bool {
	return dir == "." && len(b.paths) > 0 || slices.ContainsFunc(b.paths, func(p string) bool { return strings.HasPrefix(p, dir+"/") })
}

// openBase reads the revision of --base. What keeps it from being read is a note. With --changed, folders in which nothing
// changed are taken out of the source.
func (c DoctorCommand) openBase(a *cmd.App, s *input.Source) (*baseline, error) {
	if c.Base == nil {
		return nil, nil
	}
	if strings.HasPrefix(*c.Base, "-") {
		return nil, cmd.Fail(cmd.Usage, cmd.Quote(*c.Base)+" is not a git revision.", "Use a commit, a branch or a tag, as in --base origin/main.")
	}
	if !isFolder(c.Dir) {
		return nil, cmd.Fail(cmd.Usage, "--base compares folders, and "+cmd.Quote(c.Dir)+" is a file.", "Use the folder that has it, in a git repository.")
	}
	b := &baseline{rev: *c.Base}
	p := a.Progress("Reading " + cmd.Clean(b.rev))
	defer p.Stop()
	g := repository{ctx: a.Ctx, dir: c.Dir}
	if problem := b.find(g); problem != "" {
		b.commit = ""
		b.notes = append(b.notes, problem)
		return b, nil
	}
	if err := b.read(g, s); err != nil {
		if a.Ctx.Err() != nil {
			return nil, a.Ctx.Err()
		}
		b.commit = ""
		b.notes = append(b.notes, "Nothing was compared with "+short(b.rev)+": "+cmd.Clean(strings.TrimSuffix(err.Error(), "."))+".")
		return b, nil
	}
	if c.Changed {
		s.Agents = slices.DeleteFunc(s.Agents, func(f *folder.Contents) bool { return !b.touches(f.Dir) })
	}
	return b, nil
}

// compare fills in what changed in each agent since the revision, and returns the folders that are gone.
func (b *baseline) compare(a *cmd.App, s *input.Source, agents []Checked) (gone []Checked, err error) {
	if !b.known() {
		return nil, nil
	}
	is := *s
	is.Agents = slices.DeleteFunc(slices.Clone(s.Agents), func(f *folder.Contents) bool { return !b.touches(f.Dir) })
	if b.pairs, err = comparePairs(a, b.source, &is); err != nil {
		b.notes = append(b.notes, "Nothing was compared with "+short(b.rev)+": "+cmd.FailureOf(err, b.rev).Message)
		return nil, a.Ctx.Err()
	}
	unread := 0
	for _, p := range b.pairs {
		_, n := p.FilesRewritten()
		unread += n
		if p.Is == nil {
			one := Checked{Path: p.Path, Report: &figs.Report{}, changed: p, gone: true}
			one.history = historyOf(p, path.Join(s.FromHere(), p.Was.Dir))
			gone = append(gone, one)
			continue
		}
		for i := range agents {
			if agents[i].Root == nil && agents[i].contents.Dir == p.Is.Dir {
				agents[i].changed, agents[i].history = p, historyOf(p, path.Join(s.FromHere(), p.Is.Dir))
			}
		}
	}
	if unread > 0 {
		b.notes = append(b.notes, cmd.Counted(unread, [2]string{"attachment could not be compared", "attachments could not be compared"})+" with "+short(b.rev)+".")
	}
	return gone, nil
}

// object is what changed, as JSON.
func (b *baseline) object() []byte {
	note := strings.Join(b.notes, " ")
	changes, _ := json.Marshal(comparison.NewResult(b.pairs)) // nothing in it can fail to be encoded
	out := fmt.Appendf(nil, `{"revision":%s,"commit":%s,"note":%s,"changes":`, jsonText(b.rev), jsonText(b.commit), jsonText(note))
	return append(append(out, changes...), '}')
}

// print prints what changed, for people.
func (b *baseline) print(a *cmd.App) error {
	if !b.known() {
		return nil
	}
	if _, err := fmt.Fprintf(a.Stdout, "%s\n\n", a.Paint.Bold("Changes since "+short(b.rev))); err != nil {
		return err
	}
	if len(b.pairs) == 0 {
		_, err := fmt.Fprintln(a.Stdout, "No .figs folder changed.")
		return err
	}
	return printCompared(a, b.pairs)
}

const (
	historyTitle = "History was rewritten"
	historyWhy   = "Ledgers only grow, and attachments keep their bytes: people decided on what they saw. A line that is edited or removed later makes earlier decisions mean something else."
	historyHint  = "Restore it. To correct a record, append a line with the same id."
)

// historyOf is what was rewritten in one agent's folder, as findings.
func historyOf(p *comparison.Pair, host string) (all []annotate.Finding) {
	add := func(severity figs.Severity, file string, line int, message, hint string) {
		all = append(all, annotate.Finding{
			Rule: annotate.HistoryRewritten, Title: historyTitle, Severity: severity, Path: path.Join(host, file), Line: line, Message: message, Hint: hint,
		})
	}
	switch {
	case p.Is == nil:
		add(figs.Error, "", 0, "The folder was deleted, with its history.", "Restore it. If the agent is retired, say so in agent.json.")
		return all
	case p.Comparison == nil:
		return nil
	}
	for i := range p.Comparison.Ledgers {
		l := &p.Comparison.Ledgers[i]
		if l.Gone {
			add(figs.Error, l.File.String(), 0, "The ledger was deleted, with "+cmd.Plural(l.Old, "line")+".", historyHint)
		}
		for _, change := range l.Changes {
			switch change.Kind {
			case figs.LineEdited:
				add(figs.Error, l.File.String(), change.New, "This line was edited."+wasLine(change), historyHint)
			case figs.LineRemoved:
				add(figs.Error, l.File.String(), 0, fmt.Sprintf("Line %d was removed.", change.Old), historyHint)
			case figs.LineMoved:
				add(figs.Warning, l.File.String(), change.New, "This line was moved."+wasLine(change), "After a merge of two branches that is fine. Otherwise restore the order.")
			case figs.LineInserted:
				add(figs.Warning, l.File.String(), change.New, "This line was inserted before older lines.", "After a merge of two branches that is fine. Otherwise append it at the end.")
			}
		}
	}
	for i := range p.Files {
		c := &p.Files[i]
		if !c.Rewritten() {
			continue
		}
		message := "The bytes of this attachment were replaced."
		if c.Kind == figs.FileDeleted {
			message = "This attachment was deleted."
		}
		if len(c.Decisions) > 0 {
			message += " " + cmd.Counted(len(c.Decisions), [2]string{"decision was", "decisions were"}) + " made on an ask that attaches it."
		}
		add(figs.Error, path.Join("artifacts", c.Name), 0, message, "Restore it. Attach a new version under another name.")
	}
	return all
}

// wasLine says where a line was before, if it was elsewhere.
func wasLine(c figs.LineChange) string {
	if c.Old == c.New {
		return ""
	}
	return fmt.Sprintf(" It was line %d.", c.Old)
}

// summaryOf is what changed in one agent's folder, for a job summary.
func summaryOf(p *comparison.Pair) (all []annotate.Change) {
	switch {
	case p.Was == nil:
		return []annotate.Change{{Kind: "new", Record: "agent"}}
	case p.Is == nil:
		return []annotate.Change{{Kind: "deleted", Record: "agent"}}
	}
	for _, r := range p.Records {
		all = append(all, annotate.Change{Kind: comparison.RecordKinds[r.Kind], Record: recordWords[r.File], ID: p.ID(r), State: strings.TrimPrefix(stateWords(p, r), ": ")})
	}
	return all
}
