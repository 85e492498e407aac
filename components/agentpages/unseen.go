// Package agentpages has the pages of one agent: at a glance, jobs, replies, files, lines, search, the timeline, waits, hidden
// text, comparing two openings, and sharing a copy.
package agentpages

import (
	"context"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/journal"
)

// missingHint is what to do about what cannot be shown: a sentence of ours.
func missingHint(ctx context.Context, m *journal.Missing) string {
	return ui.Message(ctx, m.Hint, m.Args)
}

func TooLargePage(ctx context.Context, site ui.Site, a *journal.Agent, m *journal.Missing) ui.View {
	sentence := i18n.Say(ctx, m.Sentence)
	return ui.View{Status: ui.StatusUnseen, Title: ui.PageTitle(sentence, a.DisplayName()), Body: ui.UnseenPage(site, a, sentence, missingHint(ctx, m))}
}
