package check

import (
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/annotate"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
)

// PerRule is how many findings of one rule are printed; the others are counted.
const PerRule = 10

// printForPeople prints the findings of every agent, then the counts.
func printForPeople(a *cmd.App, s *input.Source, agents []Checked, base *baseline) error {
	var b strings.Builder
	for _, agent := range agents {
		if agent.gone {
			fmt.Fprintf(&b, "%s  deleted\n", a.Paint.Bold(cmd.Clean(agent.Path)))
			writeHistory(a, &b, agent)
			fmt.Fprintf(&b, "\n%s\n", conclusion(a, agent))
		} else {
			WriteAgent(a, &b, s, agent)
		}
	}
	if len(agents) > 1 {
		writeSummary(a, &b, agents)
	}
	if len(agents) == 0 {
		b.WriteString("There is no agent folder to check.\n")
	}
	if _, err := a.Stdout.Write([]byte(b.String())); err != nil {
		return err
	}
	return base.print(a)
}

// WriteAgent writes what was found in one agent's folder, as a person reads it.
func WriteAgent(a *cmd.App, b *strings.Builder, s *input.Source, agent Checked) {
	fmt.Fprintf(b, "%s  %s\n", a.Paint.Bold(cmd.Clean(agent.Path)), a.Paint.Faint(contentsOf(agent)))
	writeHistory(a, b, agent)
	printed := map[figs.Code]int{}
	for i := range agent.Report.Findings {
		f := &agent.Report.Findings[i]
		if printed[f.Code]++; printed[f.Code] <= PerRule {
			writeFinding(a, b, s, agent, f)
		}
	}
	for _, u := range agent.Report.More {
		printed[u.Code] += u.Count
	}
	for code := range figs.Codes() {
		if n := printed[code] - PerRule; n > 0 {
			fmt.Fprintf(b, "\n%d more of %s; --json lists them.\n", n, code)
		}
	}
	b.WriteByte('\n')
	b.WriteString(conclusion(a, agent))
	if said := agent.unreadSays(); said != "" {
		b.WriteString(a.Paint.Red(said) + "\n")
	}
	if said := journal.AbsentSays(agent.absent()); said != "" {
		b.WriteString(said + "\n")
	}
	b.WriteByte('\n')
}

// contentsOf is "3 runs, 2 asks, 1 message", or what a folder of another kind holds.
func contentsOf(agent Checked) string {
	if r := agent.Root; r != nil {
		switch r.Kind {
		case project.Channels:
			return cmd.Plural(len(r.Channels.Records), "artifact record") + ", " + cmd.Plural(len(r.Channels.Channels), "channel")
		case project.Registry:
			return cmd.Counted(len(r.Registry.Entries), [2]string{"registry entry", "registry entries"})
		}
		return cmd.Plural(len(r.Workflows.Workflows), "workflow") + ", " + cmd.Plural(len(r.Workflows.Runs), "run")
	}
	f := agent.folder
	return cmd.Plural(f.Records(figs.Runs), "run") + ", " + cmd.Plural(f.Records(figs.Asks), "ask") + ", " + cmd.Plural(f.Records(figs.Messages), "message")
}

// unread are the ledgers that could not be read, bit by figs.File.
func (c Checked) unread() int { return c.ledgers((*figs.Folder).Unread) }

// absent are the ledgers that were not given, bit by figs.File.
func (c Checked) absent() int { return c.ledgers((*figs.Folder).Absent) }

func (c Checked) ledgers(is func(*figs.Folder, figs.File) bool) (set int) {
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

// unknownSays is what can't be told of an agent because its ledgers could not be read or were not given, or "".
func (c Checked) unknownSays() string {
	return strings.TrimSpace(c.unreadSays() + " " + journal.AbsentSays(c.absent()))
}

// unreadSays is what can't be told of an agent because its ledgers could not be read, or "".
func (c Checked) unreadSays() string {
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
func conclusion(a *cmd.App, c Checked) string {
	r := c.Report
	errors, warnings := c.counts()
	n := counts(errors, warnings, r.Infos)
	learn := ""
	switch {
	case len(c.history) > 0:
		learn = annotate.HistoryRewritten
	case len(r.Findings) > 0:
		learn = r.Findings[0].Code.String()
	}
	if learn != "" {
		learn = a.Paint.Faint("To learn about a rule, run figs-web doctor --explain "+learn) + "\n"
	}
	given := ""
	if c.absent() != 0 && len(c.contents.Files) == 1 { // without its folder: what was not given is not called valid
		given = c.contents.Files[0].Kind.String()
	}
	switch {
	case errors > 0:
		return a.Paint.Red("Not valid: "+n+".") + "\n" + learn
	case given != "" && len(r.Findings) > 0:
		return a.Paint.Green(given+" is valid") + ", with " + n + ".\n" + learn
	case given != "":
		return a.Paint.Green(given+" has no findings.") + "\n"
	case learn != "":
		return a.Paint.Green("Valid") + ", with " + n + ".\n" + learn
	}
	return a.Paint.Green("Valid") + ", no findings.\n"
}

// writeFinding is a line with severity, rule, place and record; the message; the line with
// its mark; the hint.
func writeFinding(a *cmd.App, b *strings.Builder, s *input.Source, agent Checked, f *figs.Finding) {
	writeFindingAs(a, b, s, agent, f, "")
}

// writeFindingAs is writeFinding with a word before it.
func writeFindingAs(a *cmd.App, b *strings.Builder, s *input.Source, agent Checked, f *figs.Finding, word string) {
	if word != "" {
		word = a.Paint.Bold(word) + "  "
	}
	where := input.PlaceOf(f.File, f.Line, f.Column)
	if f.File == "" {
		where = agent.Path
	}
	fmt.Fprintf(b, "\n%s%s  %s  %s", word, Severity(a, f.Severity), f.Code, a.Paint.Bold(cmd.Clean(where)))
	if f.Record != "" {
		fmt.Fprintf(b, "  %s", a.Paint.Faint(cmd.Clean(cmd.Shorten(f.Record, 60))))
	}
	fmt.Fprintf(b, "\n  %s\n", cmd.Clean(f.Message))
	if e, ok := cmd.ExcerptOf(s.FS, agent.fileOf(f.File), f, lineWidth(a)); ok {
		number := fmt.Sprint(f.Line)
		fmt.Fprintf(b, "  %s %s\n", a.Paint.Faint(number+" |"), e.Text)
		if e.Caret != "" {
			fmt.Fprintf(b, "  %s %s\n", a.Paint.Faint(strings.Repeat(" ", len(number))+" |"), a.Paint.Red(e.Caret))
		}
	}
	switch {
	case f.Suggestion != "":
		fmt.Fprintf(b, "  did you mean: %s\n", a.Paint.Bold(cmd.Clean(f.Suggestion)))
	case f.Expected != "":
		fmt.Fprintf(b, "  expected: %s\n", cmd.Clean(f.Expected))
	}
	for _, place := range f.Related {
		fmt.Fprintf(b, "  see also: %s\n", cmd.Clean(input.PlaceOf(place.File, place.Line, place.Column)))
	}
	if f.Hint != "" {
		fmt.Fprintf(b, "  %s %s\n", a.Paint.Blue("hint:"), cmd.Clean(f.Hint))
	}
}

// writeHistory writes what was rewritten since the base revision.
func writeHistory(a *cmd.App, b *strings.Builder, agent Checked) {
	for i := range agent.history {
		if i == PerRule {
			fmt.Fprintf(b, "\n%d more of %s; --format=sarif lists them.\n", len(agent.history)-PerRule, annotate.HistoryRewritten)
			return
		}
		f := &agent.history[i]
		name := strings.TrimPrefix(strings.TrimPrefix(f.Path, agent.host), "/")
		if name == "" {
			name = agent.Path
		}
		fmt.Fprintf(b, "\n%s  %s  %s\n  %s\n  %s %s\n", Severity(a, f.Severity), f.Rule, a.Paint.Bold(cmd.Clean(input.PlaceOf(name, f.Line, 0))), cmd.Clean(f.Message), a.Paint.Blue("hint:"), cmd.Clean(f.Hint))
	}
}

// Severity is the word for a severity, in its colour.
func Severity(a *cmd.App, s figs.Severity) string {
	switch s {
	case figs.Error:
		return a.Paint.Red(s.String())
	case figs.Warning:
		return a.Paint.Yellow(s.String())
	}
	return a.Paint.Blue(s.String())
}

// lineWidth is how many columns of a ledger's line are shown.
func lineWidth(a *cmd.App) int {
	if a.Width >= 40 {
		return a.Width - 12
	}
	return 100
}

// writeSummary is a table of all agents.
func writeSummary(a *cmd.App, b *strings.Builder, agents []Checked) {
	rows := [][]string{{"AGENT", "ERRORS", "WARNINGS", "INFOS"}}
	for _, agent := range agents {
		if agent.Root != nil {
			rows[0][0] = "FOLDER"
		}
		errors, warnings := agent.counts()
		rows = append(rows, []string{cmd.Clean(agent.Path), fmt.Sprint(errors), fmt.Sprint(warnings), fmt.Sprint(agent.Report.Infos)})
	}
	b.WriteString(cmd.Table(rows))
}
