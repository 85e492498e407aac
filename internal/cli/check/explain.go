package check

import (
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/lessons"
	"github.com/figs-web/figs-web/internal/annotate"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

// explainRule prints the lesson of one rule.
func explainRule(a *cmd.App, name string) error {
	if name == annotate.HistoryRewritten {
		return explainHistory(a)
	}
	code, ok := figs.ParseCode(name)
	if !ok {
		return unknownRule(name)
	}
	lesson := lessons.Of(code)
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, lessonObject(lesson))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n%s\n\n%s\n", Severity(a, code.Severity()), a.Paint.Bold(code.String()), lesson.Title, wrap(lesson.Why, 80))
	writeExamples(a, &b, a.Paint.Red("Bad"), lesson.Bad)
	writeExamples(a, &b, a.Paint.Green("Good"), lesson.Good)
	fmt.Fprintf(&b, "\n%s %s", documentOf(code), lesson.Section)
	if lesson.Citation != "" {
		fmt.Fprintf(&b, ": %s", lesson.Citation)
	}
	b.WriteByte('\n')
	if said := strictness(code.Origin()); said != "" {
		fmt.Fprintln(&b, said)
	}
	_, err := a.Stdout.Write([]byte(b.String()))
	return err
}

// explainHistory prints the lesson of the rule that compares two revisions, which is none of a single folder.
func explainHistory(a *cmd.App) error {
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, struct {
			Code     string `json:"code"`
			Severity string `json:"severity"`
			Title    string `json:"title"`
			Why      string `json:"why"`
			Hint     string `json:"hint"`
		}{annotate.HistoryRewritten, figs.Error.String(), historyTitle, historyWhy, historyHint})
	}
	_, err := fmt.Fprintf(a.Stdout, "%s  %s\n%s\n\n%s\n\n%s\n\ndoctor finds it with --base REV; compare finds it between two copies.\n",
		Severity(a, figs.Error), a.Paint.Bold(annotate.HistoryRewritten), historyTitle, wrap(historyWhy, 80), historyHint)
	return err
}

// documentOf is what a rule's section is a section of.
func documentOf(code figs.Code) string {
	switch {
	case !code.OfKind():
		return "figs-spec v2"
	case code < figs.EntryMalformed:
		return "Artifact channels:"
	case code < figs.YAMLBroken:
		return "Finding registry contract, version 1:"
	case code < figs.ProjectFileUnreadable:
		return "Agentfile 1.0:"
	}
	return "Other folders of agents:"
}

func unknownRule(name string) *cmd.Failure {
	var all []string
	for code := range figs.Codes() {
		all = append(all, code.String())
	}
	f := cmd.Fail(cmd.NotFound, "There is no rule "+cmd.Quote(name)+".", "The rule is the second word of each finding, as in ask_type_unknown.")
	if near := figs.Suggest(name, all); near != "" {
		f.Hint = "Did you mean " + near + "?"
		f.Context = map[string]any{"nearest": near}
	}
	return f
}

// strictness says how the rule relates to the reference client, where it differs.
func strictness(o figs.Origin) string {
	switch o {
	case figs.OriginStricter:
		return "Stricter than the reference client, which lets this pass."
	case figs.OriginClient:
		return "Legal by the protocol, but clients refuse to push it."
	}
	return ""
}

func writeExamples(a *cmd.App, b *strings.Builder, title string, examples []lessons.Example) {
	for _, e := range examples {
		fmt.Fprintf(b, "\n%s  %s\n", title, a.Paint.Faint(exampleName(e)))
		for line := range strings.Lines(e.Text) {
			fmt.Fprintf(b, "  %s\n", cmd.Clean(strings.TrimSuffix(line, "\n")))
		}
	}
}

func exampleName(e lessons.Example) string {
	switch {
	case e.Absent:
		return e.File + " (not there)"
	case e.Attached():
		return fmt.Sprintf("%s (%d bytes)", e.File, e.Size)
	}
	return e.File
}

func lessonObject(l lessons.Lesson) any {
	type example struct {
		File   string `json:"file"`
		Text   string `json:"text,omitempty"`
		Size   int64  `json:"size,omitempty"`
		Absent bool   `json:"absent,omitempty"`
	}
	of := func(all []lessons.Example) []example {
		examples := []example{}
		for _, e := range all {
			examples = append(examples, example{e.File, e.Text, e.Size, e.Absent})
		}
		return examples
	}
	return struct {
		Code     string    `json:"code"`
		Severity string    `json:"severity"`
		Origin   string    `json:"origin"`
		Title    string    `json:"title"`
		Why      string    `json:"why"`
		Section  string    `json:"section"`
		Citation string    `json:"citation,omitempty"`
		Bad      []example `json:"bad"`
		Good     []example `json:"good"`
	}{l.Code.String(), l.Code.Severity().String(), l.Code.Origin().String(), l.Title, l.Why, l.Section, l.Citation, of(l.Bad), of(l.Good)}
}

// wrap breaks text of ours into lines of at most n columns.
func wrap(text string, n int) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && cmd.Columns(line)+1+cmd.Columns(word) > n {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}
