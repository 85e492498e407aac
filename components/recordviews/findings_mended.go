package recordviews

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// mendedShown is how many mended findings stand below the open ones.
const mendedShown = 5

// lately are the few that were mended by the lines that stand furthest back in their files.
func lately(mended []figs.ResolvedFinding) []figs.ResolvedFinding {
	list := slices.Clone(mended)
	slices.SortStableFunc(list, func(a, b figs.ResolvedFinding) int { return b.By.Line - a.By.Line })
	return list[:min(len(list), mendedShown)]
}

// reportNews is the headline of the report, or of what was mended.
func reportNews(ctx context.Context, c *journal.Counts, f *journal.Findings, q journal.Query) (news, lede string) {
	if q.State != journal.StateMended {
		return FindingsNews(ctx, c, &f.Report)
	}
	lede = i18n.Say(ctx, "A later line resolved each of them. The earlier line is still in its file.")
	if f.MendedTotal <= 0 {
		lede = ""
	}
	return i18n.CountWords(ctx, max(0, f.MendedTotal), "One finding resolved", "%s findings resolved"), lede
}

// mendedFilter leads to what was mended; it is there when something was, or when nobody has looked yet.
func mendedFilter(ctx context.Context, f *journal.Findings, q journal.Query) []ui.Filter {
	on := q.State == journal.StateMended
	if f.MendedTotal == 0 && !on {
		return nil
	}
	return []ui.Filter{{Kind: "ok", Word: i18n.Say(ctx, "Resolved"), Count: f.MendedTotal, Query: journal.Query{State: journal.StateMended}, On: on}}
}

// shownFindings is how many findings the page lists.
func shownFindings(f *journal.Findings, q journal.Query) int {
	if q.State == journal.StateMended {
		return len(f.Mended)
	}
	return len(f.Items)
}
