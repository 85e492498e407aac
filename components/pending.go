package components

import (
	"context"

	"github.com/figs-web/figs-web/internal/journal"
)

// pendingWord is what the person has just decided.
func pendingWord(ctx context.Context, p *journal.Pending) string {
	switch p.Verdict {
	case "approved":
		return say(ctx, "You approve this.")
	case "changes-requested":
		return say(ctx, "You request changes.")
	case "rejected":
		return say(ctx, "You decline this.")
	}
	return say(ctx, "You have answered.")
}
