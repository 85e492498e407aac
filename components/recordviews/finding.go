package recordviews

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// ruleGroup are the findings of one rule, side by side with their lines.
type ruleGroup struct {
	Code     figs.Code
	Severity figs.Severity
	Items    []foundItem
}

type foundItem struct {
	Finding *figs.Finding
	Excerpt *journal.Excerpt // nil where the list has none
}

// ruleGroups gathers findings by severity, then by rule, both in order of appearance.
func ruleGroups(f *journal.Findings) []ruleGroup {
	var groups []ruleGroup
	at := map[[2]int]int{}
	for i := range f.Items {
		finding := &f.Items[i]
		key := [2]int{int(finding.Severity), int(finding.Code)}
		n, ok := at[key]
		if !ok {
			n = len(groups)
			at[key] = n
			groups = append(groups, ruleGroup{Code: finding.Code, Severity: finding.Severity})
		}
		item := foundItem{Finding: finding}
		if i < len(f.Excerpts) {
			item.Excerpt = &f.Excerpts[i]
		}
		groups[n].Items = append(groups[n].Items, item)
	}
	return groups
}

// forAgent is the text to paste for a whole group.
func (g *ruleGroup) forAgent() string {
	lines := make([]string, len(g.Items))
	for i, item := range g.Items {
		lines[i] = item.Finding.ForAgent()
	}
	return strings.Join(lines, "\n")
}

// FindingsNews is the headline of the report, and whether the folder is valid, in the sense of figs-web doctor.
func FindingsNews(ctx context.Context, c *journal.Counts, r *figs.Report) (news, lede string) {
	var parts []string
	if r.Errors > 0 {
		parts = append(parts, i18n.CountWords(ctx, r.Errors, "One error", "%s errors"))
	}
	if r.Warnings > 0 {
		word := i18n.CountWords(ctx, r.Warnings, "One warning", "%s warnings")
		if len(parts) > 0 {
			word = ui.LowerFirst(word)
		}
		parts = append(parts, word)
	}
	switch {
	case len(parts) == 0 && r.Infos > 0:
		lede = i18n.Count(ctx, r.Infos, "Valid, with one note for your information.", "Valid, with %d notes for your information.")
		if c.Absent != 0 {
			lede = i18n.Count(ctx, r.Infos, "One note, for your information.", "%d notes, for your information.") + " " + i18n.Say(ctx, journal.AbsentSays(c.Absent))
		}
		return i18n.Say(ctx, "Nothing to fix"), lede
	case len(parts) == 0:
		return i18n.Say(ctx, "Nothing to fix"), everyLine(ctx, c)
	case r.Errors == 0:
		lede = i18n.Say(ctx, "Valid. Warnings are likely mistakes; they never block a push.")
		if c.Absent != 0 {
			lede = i18n.Say(ctx, "The files here are valid. Warnings are likely mistakes; they never block a push.") + " " + i18n.Say(ctx, journal.AbsentSays(c.Absent))
		}
		return strings.Join(parts, ", "), lede
	}
	return strings.Join(parts, ", "), i18n.Say(ctx, "Not valid. Errors break the protocol: clients refuse the journal until they are fixed. Everything readable is shown.")
}

// checkedNews says on an empty list what was checked.
func checkedNews(ctx context.Context, c *journal.Counts) (news, next string) {
	if c.Absent != 0 {
		return i18n.Say(ctx, "No findings in the files here."), i18n.Say(ctx, "Rules that compare them with the folder's other files were not checked.")
	}
	return i18n.Say(ctx, "This journal follows every rule."), i18n.Say(ctx, "%d rules were checked.", int(figs.Codes()))
}

// everyLine says that the rules are kept.
func everyLine(ctx context.Context, c *journal.Counts) string {
	if c.Absent != 0 {
		return RulesSentence(ctx, c)
	}
	return i18n.Say(ctx, "Valid. Every line follows every rule.")
}

func FindingFilters(ctx context.Context, r *figs.Report, q journal.Query) []ui.Filter {
	severity := func(s string) journal.Query { return journal.Query{Text: q.Text, Severity: s} }
	none := q.Severity == "" && q.Code == "" && q.File == "" && q.State == ""
	return ui.FiltersWithItems([]ui.Filter{
		{Kind: "", Word: i18n.Say(ctx, "All"), Count: r.Errors + r.Warnings + r.Infos, Query: severity(""), On: none},
		{Kind: "fail", Word: i18n.Say(ctx, "Errors"), Count: r.Errors, Query: severity("error"), On: q.Severity == "error"},
		{Kind: "warn", Word: i18n.Say(ctx, "Warnings"), Count: r.Warnings, Query: severity("warning"), On: q.Severity == "warning"},
		{Kind: "note", Word: i18n.Say(ctx, "Notes"), Count: r.Infos, Query: severity("info"), On: q.Severity == "info"},
	})
}

// codeFilters narrow the list to one rule.
func codeFilters(f *journal.Findings, q journal.Query) []ui.Filter {
	var out []ui.Filter
	for _, c := range f.ByCode {
		name := c.Code.String()
		query := journal.Query{Code: name}
		if q.Code == name {
			query = journal.Query{}
		}
		out = append(out, ui.Filter{Word: name, Count: c.Count, Query: query, On: q.Code == name})
	}
	return out
}
