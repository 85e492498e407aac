package agentpages

import (
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

func linesLede(ctx context.Context, lines *journal.Page[journal.Line]) string {
	broken, found := 0, 0
	for i := range lines.Items {
		if lines.Items[i].Broken {
			broken++
		}
		if lines.Items[i].Found > 0 {
			found++
		}
	}
	lede := i18n.Count(ctx, lines.Total, "%d line, as it is in the file", "%d lines, as they are in the file")
	if broken > 0 {
		lede = agenttext.JoinFacts(lede, i18n.Count(ctx, broken, "one of those below is set aside", "%d of those below are set aside"))
	}
	if found > 0 {
		lede = agenttext.JoinFacts(lede, i18n.Count(ctx, found, "one of those below has findings", "%d of those below have findings"))
	}
	return lede
}

// lineMissing says that the line which an address names is not there; "" where it is.
func lineMissing(ctx context.Context, file figs.File, line int, lines *journal.Page[journal.Line]) string {
	if line == 0 || len(lines.Items) == 0 {
		return ""
	}
	for i := range lines.Items {
		if lines.Items[i].Position.Line == line {
			return ""
		}
	}
	if line < lines.Items[len(lines.Items)-1].Position.Line {
		return i18n.Say(ctx, "Line %s of %s is blank.", i18n.Number(ctx, line), file.String())
	}
	if lines.Total == 1 {
		return i18n.Say(ctx, "%s has one line; there is no line %s.", file.String(), i18n.Number(ctx, line))
	}
	return i18n.Say(ctx, "%s has %s lines; there is no line %s.", file.String(), i18n.Number(ctx, lines.Total), i18n.Number(ctx, line))
}

// withoutLine is the query of the pages beside this one: they show other lines than the one that was asked for.
func withoutLine(q journal.Query) journal.Query {
	q.Line = 0
	return q
}

// lineSigns count the findings on a line by severity; where the line lists only some, all of them together.
func lineSigns(ctx context.Context, l *journal.Line) []ui.Sign {
	var n [figs.Error + 1]int
	for i := range l.Findings {
		n[l.Findings[i].Severity]++
	}
	switch {
	case l.Found == 0:
		return nil
	case l.Found > len(l.Findings):
		return []ui.Sign{{Kind: lineKindOf(n), Word: i18n.Count(ctx, l.Found, "%d finding", "%d findings")}}
	}
	var signs []ui.Sign
	if n[figs.Error] > 0 {
		signs = append(signs, ui.Sign{Kind: "fail", Word: i18n.Count(ctx, n[figs.Error], "%d error", "%d errors")})
	}
	if n[figs.Warning] > 0 {
		signs = append(signs, ui.Sign{Kind: "warn", Word: i18n.Count(ctx, n[figs.Warning], "%d warning", "%d warnings")})
	}
	if n[figs.Info] > 0 {
		signs = append(signs, ui.Sign{Kind: "note", Word: i18n.Count(ctx, n[figs.Info], "%d note", "%d notes")})
	}
	return signs
}

// lineClass are the classes of a line: what was found on it at worst, and whether it was asked for.
func lineClass(l *journal.Line, marked int) string {
	class := "ledger-line"
	var n [figs.Error + 1]int
	for i := range l.Findings {
		n[l.Findings[i].Severity]++
	}
	switch {
	case l.Broken:
		class += " is-broken"
	case l.Found > 0:
		class += " is-" + lineKindOf(n)
	}
	if l.Position.Line == marked {
		class += " is-target"
	}
	return class
}

func lineKindOf(n [figs.Error + 1]int) string {
	switch {
	case n[figs.Error] > 0:
		return "fail"
	case n[figs.Warning] > 0:
		return "warn"
	}
	return "note"
}

// lineFindings is the page with the findings on a line.
func lineFindings(site ui.Site, agent string, l *journal.Line) templ.SafeURL {
	return site.List(journal.Query{File: l.Position.File.String(), Line: l.Position.Line}, agent, "findings")
}
