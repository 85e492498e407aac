package recordviews

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// maxNewestResolved is how many resolved findings are listed below the open ones.
const maxNewestResolved = 5

// newestResolved returns the findings that the last lines of their files resolved.
func newestResolved(resolved []figs.ResolvedFinding) []figs.ResolvedFinding {
	list := slices.Clone(resolved)
	slices.SortStableFunc(list, func(a, b figs.ResolvedFinding) int { return b.By.Line - a.By.Line })
	return list[:min(len(list), maxNewestResolved)]
}

// reportNews is the headline of the report, or of resolved findings.
func reportNews(ctx context.Context, c *journal.Counts, f *journal.Findings, q journal.Query) (news, lede string) {
	if q.State != journal.StateResolved {
		return FindingsNews(ctx, c, &f.Report)
	}
	lede = i18n.Say(ctx, "A later line resolved each of them. The earlier line is still in its file.")
	if f.ResolvedTotal <= 0 {
		lede = ""
	}
	if f.ResolvedAmong > 0 {
		lede = i18n.Say(ctx, "Among %s of its %s jobs and asks: the newest, and the jobs of these asks. For all of them, export the agent and open the folder in the inspector.",
			i18n.Number(ctx, f.ResolvedAmong), i18n.Number(ctx, c.Jobs+c.Asks))
	}
	return i18n.CountWords(ctx, max(0, f.ResolvedTotal), "One finding resolved", "%s findings resolved"), lede
}

// mendedFilter links to the resolved findings; it is shown when there are some, or when they were not counted yet.
func mendedFilter(ctx context.Context, f *journal.Findings, q journal.Query) []ui.Filter {
	on := q.State == journal.StateResolved
	if f.ResolvedTotal == 0 && !on {
		return nil
	}
	return []ui.Filter{{Kind: "ok", Word: i18n.Say(ctx, "Resolved"), Count: f.ResolvedTotal, Query: journal.Query{State: journal.StateResolved}, On: on}}
}

// shownFindings is how many findings the page lists.
func shownFindings(f *journal.Findings, q journal.Query) int {
	if q.State == journal.StateResolved {
		return len(f.Resolved)
	}
	return len(f.Items)
}
