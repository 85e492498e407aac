package kinds

import (
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/findings"
)

type findingRankCommand struct {
	When []string `placeholder:"WORD" help:"The kind of work, as in applicable_when. Can be repeated."`
	Lang []string `placeholder:"NAME" help:"A language of the work. Can be repeated."`
	Path []string `placeholder:"PATH" help:"A file or folder that the work touches. Can be repeated."`
	Text string   `placeholder:"TEXT" help:"The goal, the plan, or the text under review."`
}

// Help is what `finding rank --help` adds.
func (findingRankCommand) Help() string {
	return `Prints at most five active findings. They are ordered by severity: critical; high, major, significant; medium, moderate; low, minor; then any other word. Next comes scope: how many words of applicable_when they share with the work and whether the primary one is among them, then languages, paths and words of the text. Then findings that share a whole sentence with the text. Ties keep the order of the registry. A finding past its ttl is included and marked.

Examples:

  figs-web finding rank --when plan-shape --lang go
  figs-web finding rank --path internal/parser --text "limits of the parser"
`
}

// Run ranks.
func (c findingRankCommand) Run(a *cmd.App, f *FindingCommand) error {
	for _, word := range c.When {
		if err := checkApplicable(word); err != nil {
			return err
		}
	}
	registry, err := f.read(a)
	if err != nil {
		return err
	}
	ranked := registry.Rank(findings.WorkItem{When: c.When, Languages: c.Lang, Paths: c.Path, Text: c.Text})
	var b strings.Builder
	for i, r := range ranked {
		if a.PrintsJSON() {
			err := cmd.WriteJSON(&b, struct {
				Place int `json:"place"`
				findingJSON
				Why []string `json:"why"`
			}{i + 1, findingOf(r.Entry), r.Why})
			if err != nil {
				return err
			}
			continue
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		writeRanked(a, &b, i+1, r)
	}
	_, err = fmt.Fprint(a.Stdout, b.String())
	return err
}

// writeRanked is a line on the finding, what it asks and wants, and the reasons for its place.
func writeRanked(a *cmd.App, b *strings.Builder, place int, r findings.Ranked) {
	e := r.Entry
	fmt.Fprintf(b, "%d  %s  %s  %s\n", place, a.Paint.Bold(cmd.Clean(e.ID)), cmd.Clean(e.Severity), cmd.Clean(e.Pattern))
	for _, line := range [][2]string{{"ask", e.Question}, {"do", e.Checklist}} {
		if line[1] != "" {
			fmt.Fprintf(b, "   %-4s%s\n", line[0], cmd.Clean(line[1]))
		}
	}
	for i, why := range r.Why {
		head := "    "
		if i == 0 {
			head = "why "
		}
		fmt.Fprintf(b, "   %s\n", a.Paint.Faint(head+cmd.Clean(why)))
	}
}

// checkApplicable holds a word against the vocabulary.
func checkApplicable(word string) error {
	if findings.IsApplicable(word) {
		return nil
	}
	f := cmd.Fail(cmd.Usage, cmd.Quote(word)+" is not in the vocabulary of applicable_when.", "It has "+cmd.Listed(findings.Applicable)+".")
	if near := figs.Suggest(word, findings.Applicable); near != "" {
		f.Hint = "Did you mean " + near + "?"
		f.Context = map[string]any{"nearest": near}
	}
	return f
}

type findingListCommand struct {
	Status   string `placeholder:"WORD" help:"Only findings with this status: active, retired or superseded."`
	Severity string `placeholder:"WORD" help:"Only findings of this severity."`
	Category string `placeholder:"WORD" help:"Only findings of this category."`
	When     string `placeholder:"WORD" help:"Only findings that apply to this kind of work."`
	Lang     string `placeholder:"NAME" help:"Only findings about this language."`
	Text     string `placeholder:"TEXT" help:"Only findings that contain all these words, in any order."`
	Expired  bool   `help:"Only active findings past their ttl."`
}

// Run lists.
func (c findingListCommand) Run(a *cmd.App, f *FindingCommand) error {
	registry, err := f.read(a)
	if err != nil {
		return err
	}
	all := registry.List(findings.Filter{Status: c.Status, Severity: c.Severity, Category: c.Category, When: c.When, Language: c.Lang, Text: c.Text, Expired: c.Expired})
	rows := [][]string{{"ID", "STATUS", "SEVERITY", "APPLIES TO", "UNTIL", "PATTERN"}}
	for _, e := range all {
		if a.PrintsJSON() {
			if err := cmd.WriteJSON(a.Stdout, findingOf(e)); err != nil {
				return err
			}
			continue
		}
		until := e.ExpiresOn()
		if e.Expired {
			until += " (expired)"
		}
		row := []string{e.ID, e.Status, e.Severity, strings.Join(e.When, ", "), until}
		for i := range row {
			row[i] = cmd.Clean(cmd.Shorten(row[i], 40))
		}
		rows = append(rows, append(row, cmd.Clean(e.Pattern)))
	}
	if len(rows) == 1 {
		return nil
	}
	_, err = fmt.Fprint(a.Stdout, a.List(rows[0], rows[1:]))
	return err
}
