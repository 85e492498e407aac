package cli

import (
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
)

// perRule is how many findings of one rule are printed; the others are counted.
const perRule = 10

// printForPeople prints the findings of every agent, then the counts.
func (a *app) printForPeople(s *source, agents []checked) error {
	var b strings.Builder
	for _, agent := range agents {
		a.writeAgent(&b, s, agent)
	}
	if len(agents) > 1 {
		a.writeSummary(&b, agents)
	}
	_, err := a.Stdout.Write([]byte(b.String()))
	return err
}

func (a *app) writeAgent(b *strings.Builder, s *source, agent checked) {
	fmt.Fprintf(b, "%s  %s\n", a.paint.bold(clean(agent.path)), a.paint.faint(contentsOf(agent)))
	printed := map[figs.Code]int{}
	for i := range agent.report.Findings {
		f := &agent.report.Findings[i]
		if printed[f.Code]++; printed[f.Code] <= perRule {
			a.writeFinding(b, s, agent, f)
		}
	}
	for _, u := range agent.report.More {
		printed[u.Code] += u.Count
	}
	for code := range figs.Codes() {
		if n := printed[code] - perRule; n > 0 {
			fmt.Fprintf(b, "\n%d more of %s; --json lists them.\n", n, code)
		}
	}
	b.WriteByte('\n')
	b.WriteString(a.conclusion(agent))
	if said := agent.unreadSays(); said != "" {
		b.WriteString(a.paint.red(said) + "\n")
	}
	if said := journal.AbsentSays(agent.absent()); said != "" {
		b.WriteString(said + "\n")
	}
	b.WriteByte('\n')
}

// contentsOf is "3 runs, 2 asks, 1 message", or what a folder of another kind holds.
func contentsOf(agent checked) string {
	if r := agent.root; r != nil {
		switch r.Kind {
		case project.Channels:
			return plural(len(r.Channels.Records), "artifact record") + ", " + plural(len(r.Channels.Channels), "channel")
		case project.Registry:
			return counted(len(r.Registry.Entries), [2]string{"registry entry", "registry entries"})
		}
		return plural(len(r.Workflows.Workflows), "workflow") + ", " + plural(len(r.Workflows.Runs), "run")
	}
	f := agent.folder
	return plural(f.Records(figs.Runs), "run") + ", " + plural(f.Records(figs.Asks), "ask") + ", " + plural(f.Records(figs.Messages), "message")
}

// unread are the ledgers that could not be read, bit by figs.File.
func (c checked) unread() int { return c.ledgers((*figs.Folder).Unread) }

// absent are the ledgers that were not given, bit by figs.File.
func (c checked) absent() int { return c.ledgers((*figs.Folder).Absent) }

func (c checked) ledgers(is func(*figs.Folder, figs.File) bool) (set int) {
	for file := range figs.File(figs.Ledgers) {
		if c.folder != nil && is(c.folder, file) {
			set |= 1 << file
		}
	}
	return set
}

func ledgerNames(set int) (names []string) {
	for file := range figs.File(figs.Ledgers) {
		if set>>file&1 != 0 {
			names = append(names, file.String())
		}
	}
	return names
}

// unknownSays is what nobody can tell of an agent because its ledgers could not be read or were not given, or "".
func (c checked) unknownSays() string {
	return strings.TrimSpace(c.unreadSays() + " " + journal.AbsentSays(c.absent()))
}

// unreadSays is what nobody can tell of an agent because its ledgers could not be read, or "".
func (c checked) unreadSays() string {
	var parts []string
	for _, name := range ledgerNames(c.unread()) {
		parts = append(parts, map[string]string{
			"runs.jsonl":     "Can't tell what the agent did: runs.jsonl could not be read.",
			"asks.jsonl":     "Can't tell what needs a human: asks.jsonl could not be read.",
			"messages.jsonl": "Can't tell what is answered: messages.jsonl could not be read.",
		}[name])
	}
	return strings.Join(parts, " ")
}

// conclusion is the last line on an agent: the counts, and what to do with them.
func (a *app) conclusion(c checked) string {
	r := c.report
	n := counts(r.Errors, r.Warnings, r.Infos)
	given := ""
	if c.absent() != 0 && len(c.contents.Files) == 1 { // without its folder: what was not given is not called valid
		given = c.contents.Files[0].Kind.String()
	}
	switch {
	case r.Errors > 0:
		return a.paint.red("Not valid: "+n+".") + "\n" + a.paint.faint("What a rule is about: figs-web doctor --explain "+r.Findings[0].Code.String()) + "\n"
	case given != "" && len(r.Findings) > 0:
		return a.paint.green(given+" is valid") + ", with " + n + ".\n" + a.paint.faint("What a rule is about: figs-web doctor --explain "+r.Findings[0].Code.String()) + "\n"
	case given != "":
		return a.paint.green(given+" keeps every rule.") + "\n"
	case len(r.Findings) > 0:
		return a.paint.green("Valid") + ", with " + n + ".\n" + a.paint.faint("What a rule is about: figs-web doctor --explain "+r.Findings[0].Code.String()) + "\n"
	}
	return a.paint.green("Valid") + ", nothing to remark.\n"
}

// writeFinding is a line with severity, rule, place and record; the message; the line with
// its mark; the hint.
func (a *app) writeFinding(b *strings.Builder, s *source, agent checked, f *figs.Finding) {
	where := placeOf(f.File, f.Line, f.Column)
	if f.File == "" {
		where = agent.path
	}
	fmt.Fprintf(b, "\n%s  %s  %s", a.severity(f.Severity), f.Code, a.paint.bold(clean(where)))
	if f.Record != "" {
		fmt.Fprintf(b, "  %s", a.paint.faint(clean(shorten(f.Record, 60))))
	}
	fmt.Fprintf(b, "\n  %s\n", clean(f.Message))
	if e, ok := excerptOf(s.fsys, agent.fileOf(f.File), f, a.lineWidth()); ok {
		number := fmt.Sprint(f.Line)
		fmt.Fprintf(b, "  %s %s\n", a.paint.faint(number+" |"), e.text)
		if e.caret != "" {
			fmt.Fprintf(b, "  %s %s\n", a.paint.faint(strings.Repeat(" ", len(number))+" |"), a.paint.red(e.caret))
		}
	}
	switch {
	case f.Suggestion != "":
		fmt.Fprintf(b, "  did you mean: %s\n", a.paint.bold(clean(f.Suggestion)))
	case f.Expected != "":
		fmt.Fprintf(b, "  expected: %s\n", clean(f.Expected))
	}
	for _, place := range f.Related {
		fmt.Fprintf(b, "  see also: %s\n", clean(placeOf(place.File, place.Line, place.Column)))
	}
	if f.Hint != "" {
		fmt.Fprintf(b, "  %s %s\n", a.paint.blue("hint:"), clean(f.Hint))
	}
}

// placeOf is "asks.jsonl:3:14", as far as it is known.
func placeOf(file string, line, column int) string {
	switch {
	case line == 0:
		return file
	case column == 0:
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d:%d", file, line, column)
}

func (a *app) severity(s figs.Severity) string {
	switch s {
	case figs.Error:
		return a.paint.red(s.String())
	case figs.Warning:
		return a.paint.yellow(s.String())
	}
	return a.paint.blue(s.String())
}

// lineWidth is how many columns of a ledger's line are shown.
func (a *app) lineWidth() int {
	if a.Width >= 40 {
		return a.Width - 12
	}
	return 100
}

// writeSummary is a table of all agents.
func (a *app) writeSummary(b *strings.Builder, agents []checked) {
	rows := [][]string{{"AGENT", "ERRORS", "WARNINGS", "INFOS"}}
	for _, agent := range agents {
		if agent.root != nil {
			rows[0][0] = "FOLDER"
		}
		r := agent.report
		rows = append(rows, []string{clean(agent.path), fmt.Sprint(r.Errors), fmt.Sprint(r.Warnings), fmt.Sprint(r.Infos)})
	}
	b.WriteString(table(rows))
}

// shorten cuts text to n runes.
func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
