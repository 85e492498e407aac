package hosted

import (
	"context"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// pendingReplies are what a visitor has decided in the workspace and can still take back, for
// every page.
func (h *Host) pendingReplies(ctx context.Context, v *auth.Visitor, at *auth.Place, all []store.Decision) (list []ui.PendingReply, err error) {
	asks := make([]store.AskRef, len(all))
	for i := range all {
		asks[i] = store.AskRef{Agent: all[i].Agent, Ask: all[i].Ask}
	}
	records, err := h.Store.AskRecords(ctx, at.Workspace.ID, asks)
	if err != nil {
		return nil, err
	}
	me := journal.Person{ID: v.User.ID, Name: v.User.Name}
	for i := range all {
		made := &all[i]
		title := TitleOf(records[store.AskRef{Agent: made.Agent, Ask: made.Ask}].Fold, made.Ask)
		list = append(list, ui.PendingReply{At: AskAddress(at.Workspace.Slug, made.Agent, made.Ask), Title: title, Pending: PendingFrom(made, me, v.User.ID)})
	}
	return list, nil
}

// TitleOf is what a page calls an ask.
func TitleOf(fold []byte, id string) string {
	if title := figs.ReadAsk(figs.Fold([][]byte{fold})).Title; title != "" {
		return title
	}
	return id
}

// AskAddress is the path of an ask's page.
func AskAddress(slug, agent, ask string) string {
	return web.Workspaces + viewer.Segment(slug) + "/agents/" + viewer.Segment(agent) + "/asks/" + viewer.Segment(ask)
}

// PendingFrom is a decision that can still be taken back, as user sees it.
func PendingFrom(made *store.Decision, by journal.Person, user string) journal.Pending {
	m := figs.ReadMessage(figs.Fold([][]byte{made.Line}))
	return journal.Pending{ID: made.ID, By: by, Mine: made.By == user, Effective: made.Effective, Verdict: m.Verdict, Chosen: m.Chosen}
}

// IsFormAddress reports whether a page was asked for at the address of a form.
func IsFormAddress(c echo.Context) bool {
	return c.Param("section") == "asks" && slices.Contains([]string{"decide", "draft", "remark", "undo", "claim", "snooze", "viewed", "handover", "note", "nudge"}, c.Param("of"))
}
