package ui

import (
	"context"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/internal/journal"
)

// pendingWord is what the person has just decided.
func pendingWord(ctx context.Context, p *journal.Pending) string {
	switch p.Verdict {
	case "approved":
		return i18n.Say(ctx, "You approved this.")
	case "changes-requested":
		return i18n.Say(ctx, "You requested changes.")
	case "rejected":
		return i18n.Say(ctx, "You declined this.")
	}
	return i18n.Say(ctx, "You answered.")
}
