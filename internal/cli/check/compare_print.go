package check

import (
	"bufio"
	"cmp"
	"fmt"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/comparison"
)

// mostShown is how many lines of the past, and how many records of a ledger, are printed for people.
const mostShown = 20

// pastWords say what a comparison amounts to, where more is to be said than what is listed.
var pastWords = [...]string{
	figs.HistoryOlder: "fewer lines: an older copy, or the end was cut off", figs.HistoryMerged: "all lines are there in another order, as after a merge of two copies",
	figs.HistoryRedacted:  "each edited line has a placeholder, as in a redacted copy",
	figs.HistoryDiverged:  "the two copies diverged: each was continued separately, or earlier lines were rewritten",
	figs.HistoryUnrelated: "no line in common: another folder, or the agent started over", figs.HistoryRewritten: "earlier lines were rewritten",
}

// printCompared prints what became of agents, for people.
func printCompared(a *cmd.App, pairs []*comparison.Pair) error {
	out := bufio.NewWriter(a.Stdout)
	for i, p := range pairs {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, a.Paint.Bold(cmd.Clean(p.Path)))
		switch {
		case p.Was == nil:
			fmt.Fprintln(out, "  new: not in the old copy")
			continue
		case p.Is == nil:
			fmt.Fprintln(out, "  "+a.Paint.Red("gone: not in the new copy"))
			continue
		}
		if p.Comparison != nil {
			if words := pastWords[p.Comparison.History()]; words != "" || p.Past() == "exchanged" {
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

func printLedgers(a *cmd.App, out *bufio.Writer, p *comparison.Pair) {
	width := a.Width
	if width <= 0 {
		width = 100
	}
	for i := range p.Comparison.Ledgers {
		l := &p.Comparison.Ledgers[i]
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
			printChange(a, out, p.Comparison, l.File, change, width)
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
	fmt.Fprintf(out, "    %s %s\n", a.Paint.Red(comparison.LineKinds[change.Kind]), place)
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

func printBecame(a *cmd.App, out *bufio.Writer, p *comparison.Pair) {
	var shown [figs.Ledgers]int
	for _, r := range p.Records {
		if shown[r.File]++; shown[r.File] <= mostShown {
			fmt.Fprintf(out, "  %-11s %s %s%s\n", comparison.RecordKinds[r.Kind], recordWords[r.File], cmd.Clean(firstWord(p.ID(r))), stateWords(p, r))
		}
	}
	for file, n := range shown {
		if n > mostShown {
			fmt.Fprintf(out, "  and %d more of %s; --json lists all\n", n-mostShown, figs.File(file))
		}
	}
	printFiles(a, out, p)
	if len(p.Records)+len(p.Files) == 0 && (p.Comparison == nil || !p.Comparison.Rewritten()) {
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

// stateNames are the states of jobs as people read them; comparison.Pair.States has those of the JSON.
var stateNames = map[string]string{"ok": "OK", "warn": "warning", "fail": "failed", "in flight": "running"}

func stateWords(p *comparison.Pair, r figs.RecordChange) string {
	was, is := p.States(r)
	was, is = cmp.Or(stateNames[was], was), cmp.Or(stateNames[is], is)
	switch {
	case was != "" && is != "" && was != is:
		return ": " + was + " → " + is
	case was == "" && is != "":
		return ": " + is
	}
	return ""
}
