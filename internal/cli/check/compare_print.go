package check

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

// mostShown is how many lines of the past, and how many records of a ledger, are printed for people.
const mostShown = 20

var lineKinds = [...]string{figs.LineEdited: "edited", figs.LineRemoved: "removed", figs.LineMoved: "moved", figs.LineInserted: "inserted"}
var recordKinds = [...]string{
	figs.RecordNew: "new", figs.RecordDeleted: "lost", figs.AskRaised: "asked again", figs.AskAnswered: "replied to", figs.AskClosed: "closed",
	figs.JobSettled: "settled", figs.RecordChanged: "changed",
}
var fileKinds = [...]string{figs.FileNew: "new", figs.FileDeleted: "gone", figs.FileDiffers: "other bytes", figs.FileSameSize: "not compared"}

// pastWords say what a comparison amounts to, where more is to be said than what is listed.
var pastWords = [...]string{
	figs.HistoryOlder: "fewer lines: an older copy, or the end was cut off", figs.HistoryMerged: "all lines are there in another order, as after a merge of two copies",
	figs.HistoryRedacted:  "each edited line has a placeholder, as in a redacted copy",
	figs.HistoryDiverged:  "the two copies diverged: each was continued separately, or earlier lines were rewritten",
	figs.HistoryUnrelated: "no line in common: another folder, or the agent started over", figs.HistoryRewritten: "earlier lines were rewritten",
}

// printCompared prints what became of agents, for people.
func printCompared(a *cmd.App, pairs []*pair) error {
	out := bufio.NewWriter(a.Stdout)
	for i, p := range pairs {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, a.Paint.Bold(cmd.Clean(p.path)))
		switch {
		case p.was == nil:
			fmt.Fprintln(out, "  new: not in the old copy")
			continue
		case p.is == nil:
			fmt.Fprintln(out, "  "+a.Paint.Red("gone: not in the new copy"))
			continue
		}
		if p.comparison != nil {
			if words := pastWords[p.comparison.History()]; words != "" || p.past() == "exchanged" {
				if words == "" {
					words = "no line changed, but attachments have other bytes or are gone"
				}
				fmt.Fprintln(out, "  "+a.Paint.Red(words))
			}
			printLedgers(a, out, p)
		}
		printBecame(a, out, p)
	}
	return out.Flush()
}

func printLedgers(a *cmd.App, out *bufio.Writer, p *pair) {
	width := a.Width
	if width <= 0 {
		width = 100
	}
	for i := range p.comparison.Ledgers {
		l := &p.comparison.Ledgers[i]
		switch {
		case l.Old+l.Added == 0:
		case l.Gone:
			fmt.Fprintf(out, "  %s: %s\n", l.File, a.Paint.Red("gone, with its "+cmd.Plural(l.Old, "line")))
		case l.Rewritten():
			fmt.Fprintf(out, "  %s: %s, %d unchanged, %d new\n", l.File, a.Paint.Red(cmd.Counted(len(l.Changes), [2]string{"earlier line changed", "earlier lines changed"})), l.Same, l.Added)
		default:
			fmt.Fprintf(out, "  %s: no earlier line changed, %s\n", l.File, cmd.Counted(l.Added, [2]string{"new line", "new lines"}))
		}
		if l.Ends > 0 {
			fmt.Fprintf(out, "    %s\n", cmd.Counted(l.Ends, [2]string{"line has another line ending (CR LF)", "lines have another line ending (CR LF)"}))
		}
		if l.Dropped {
			fmt.Fprintln(out, "    an incomplete last line was removed")
		}
		if l.Completed {
			fmt.Fprintln(out, "    an incomplete last line was completed")
		}
		if l.Joined {
			fmt.Fprintln(out, "    text was added to the last line, which was incomplete")
		}
		for n, change := range l.Changes {
			if n == mostShown {
				fmt.Fprintf(out, "    and %d more; --json lists all\n", len(l.Changes)-mostShown)
				break
			}
			printChange(a, out, p.comparison, l.File, change, width)
		}
	}
}

func printChange(a *cmd.App, out *bufio.Writer, c *figs.Comparison, file figs.File, change figs.LineChange, width int) {
	place := fmt.Sprintf("%s:%d", file, change.New)
	switch change.Kind {
	case figs.LineRemoved:
		place = fmt.Sprintf("%s:%d", file, change.Old)
	case figs.LineMoved, figs.LineEdited:
		if change.Old != change.New {
			place += fmt.Sprintf(", line %d before", change.Old)
		}
	}
	fmt.Fprintf(out, "    %s %s\n", a.Paint.Red(lineKinds[change.Kind]), place)
	old, new := c.Texts(file, change)
	from := 0
	if change.Kind == figs.LineEdited {
		from, _ = figs.CommonAffixes(old, new)
	}
	if change.Kind != figs.LineInserted {
		fmt.Fprintln(out, "      "+a.Paint.Red("- "+around(old, from, width-8)))
	}
	if change.Kind == figs.LineEdited || change.Kind == figs.LineInserted {
		fmt.Fprintln(out, "      "+a.Paint.Green("+ "+around(new, from, width-8)))
	}
}

// around is a line of at most so many bytes around a place, safe for a terminal.
func around(line []byte, at, width int) string {
	if len(line) <= width {
		return cmd.Clean(string(line))
	}
	start := max(0, min(at-width/3, len(line)-width))
	for start > 0 && start < len(line) && !utf8.RuneStart(line[start]) {
		start++
	}
	end := min(len(line), start+width)
	for end < len(line) && end > start && !utf8.RuneStart(line[end]) {
		end--
	}
	text := cmd.Clean(string(line[start:end]))
	if start > 0 {
		text = "…" + text
	}
	if end < len(line) {
		text += "…"
	}
	return text
}

func printBecame(a *cmd.App, out *bufio.Writer, p *pair) {
	var shown [figs.Ledgers]int
	for _, r := range p.records {
		if shown[r.File]++; shown[r.File] <= mostShown {
			fmt.Fprintf(out, "  %-11s %s %s%s\n", recordKinds[r.Kind], recordWords[r.File], cmd.Clean(firstWord(p.id(r))), stateWords(p, r))
		}
	}
	for file, n := range shown {
		if n > mostShown {
			fmt.Fprintf(out, "  and %d more of %s; --json lists all\n", n-mostShown, figs.File(file))
		}
	}
	printFiles(a, out, p)
	if len(p.records)+len(p.files) == 0 && (p.comparison == nil || !p.comparison.Rewritten()) {
		fmt.Fprintln(out, "  no record changed")
	}
}

var recordWords = [figs.Ledgers]string{"job", "ask", "reply"}

func firstWord(id string) string {
	if id == "" {
		return "without an id"
	}
	return id
}

// id is the id of a record that is not as it was.
func (p *pair) id(r figs.RecordChange) string {
	if r.New >= 0 {
		return p.is.ID(r.File, r.New)
	}
	return p.was.ID(r.File, r.Old)
}

var outcomeWords = [...]string{figs.OutcomeOK: "ok", figs.OutcomeWarn: "warn", figs.OutcomeFail: "fail", figs.OutcomeInFlight: "in flight", figs.OutcomeUnknown: "unknown status"}

// stateNames are the states of jobs as people read them; the JSON has outcomeWords.
var stateNames = map[string]string{"ok": "OK", "warn": "warning", "fail": "failed", "in flight": "running"}

// states returns the states of a record in both copies, as in the JSON. A state is "" if the record is missing or a reply.
func (p *pair) states(r figs.RecordChange) (was, is string) {
	state := func(f *figs.Folder, n int) string {
		switch {
		case n < 0 || r.File == figs.Messages:
			return ""
		case r.File == figs.Asks:
			return f.State(n).Phase.String()
		}
		return outcomeWords[f.Outcome(n)]
	}
	return state(p.was, r.Old), state(p.is, r.New)
}

func stateWords(p *pair, r figs.RecordChange) string {
	was, is := p.states(r)
	was, is = cmp.Or(stateNames[was], was), cmp.Or(stateNames[is], is)
	switch {
	case was != "" && is != "" && was != is:
		return ": " + was + " → " + is
	case was == "" && is != "":
		return ": " + is
	}
	return ""
}

// kindName is the name of a kind of change, for programs.
func kindName(words string) string { return strings.ReplaceAll(words, " ", "-") }

// comparedObject is what became of agents, as one JSON object.
func comparedObject(pairs []*pair) []byte {
	type ledger struct {
		File      string `json:"file"`
		Old       int    `json:"old"`
		Same      int    `json:"same"`
		Added     int    `json:"added"`
		Gone      bool   `json:"gone,omitempty"`
		Completed bool   `json:"completed,omitempty"`
		Joined    bool   `json:"joined,omitempty"`
		Dropped   bool   `json:"dropped,omitempty"`
		Ends      int    `json:"otherLineEnds,omitempty"`
	}
	type line struct {
		Kind    string  `json:"kind"`
		File    string  `json:"file"`
		OldLine int     `json:"oldLine,omitempty"`
		NewLine int     `json:"newLine,omitempty"`
		Old     *string `json:"old,omitempty"`
		New     *string `json:"new,omitempty"`
	}
	type record struct {
		Kind string `json:"kind"`
		File string `json:"file"`
		ID   string `json:"id"`
		Old  string `json:"old,omitempty"`
		New  string `json:"new,omitempty"`
	}
	type file struct {
		Kind string `json:"kind"`
		Name string `json:"name"`
		Old  int64  `json:"oldSize"`
		New  int64  `json:"newSize"`

		Attached  bool        `json:"attached,omitempty"`  // by a line of the older folder
		Decisions []DecidedOn `json:"decisions,omitempty"` // on asks that attach it
	}
	type folder struct {
		Path      string   `json:"path"`
		Missing   string   `json:"missing,omitempty"`
		Past      string   `json:"past,omitempty"` // what it amounts to
		Rewritten bool     `json:"rewritten"`      // lines or attachments were changed or are gone
		Ledgers   []ledger `json:"ledgers,omitempty"`
		Lines     []line   `json:"lines"`
		Records   []record `json:"records"`
		Files     []file   `json:"files"`
	}
	text := func(b []byte) *string {
		if b == nil {
			return nil
		}
		s := string(b)
		return &s
	}
	all := struct {
		Rewritten bool     `json:"rewritten"`
		Folders   []folder `json:"folders"`
	}{Folders: []folder{}}
	for _, p := range pairs {
		f := folder{Path: p.path, Lines: []line{}, Records: []record{}, Files: []file{}}
		switch {
		case p.was == nil:
			f.Missing = "old"
		case p.is == nil:
			f.Missing, f.Rewritten = "new", true
		case p.comparison != nil:
			files, _ := p.filesRewritten()
			f.Past, f.Rewritten = p.past(), p.comparison.Rewritten() || files > 0
			for i := range p.comparison.Ledgers {
				l := &p.comparison.Ledgers[i]
				f.Ledgers = append(f.Ledgers, ledger{l.File.String(), l.Old, l.Same, l.Added, l.Gone, l.Completed, l.Joined, l.Dropped, l.Ends})
				for _, c := range l.Changes {
					old, new := p.comparison.Texts(l.File, c)
					f.Lines = append(f.Lines, line{kindName(lineKinds[c.Kind]), l.File.String(), c.Old, c.New, text(old), text(new)})
				}
			}
		}
		for _, r := range p.records {
			was, is := p.states(r)
			f.Records = append(f.Records, record{kindName(recordKinds[r.Kind]), r.File.String(), p.id(r), was, is})
		}
		for i := range p.files {
			c := &p.files[i]
			f.Files = append(f.Files, file{kindName(fileKinds[c.Kind]), c.Name, c.Old, c.New, c.attached, c.decisions})
		}
		all.Rewritten = all.Rewritten || f.Rewritten
		all.Folders = append(all.Folders, f)
	}
	b, _ := json.Marshal(all) // nothing in it can fail to be encoded
	return b
}
