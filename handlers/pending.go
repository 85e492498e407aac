package handlers

import (
	"context"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// pendingReplies are what a visitor has decided in the workspace and can still take back, for
// every page.
func (h *host) pendingReplies(ctx context.Context, v *visitor.Visitor, at *visitor.Place, all []store.Made) (list []components.PendingReply, err error) {
	asks := make([]store.AskRef, len(all))
	for i := range all {
		asks[i] = store.AskRef{Agent: all[i].Agent, Ask: all[i].Ask}
	}
	folds, err := h.Store.AskFolds(ctx, at.Workspace.ID, asks)
	if err != nil {
		return nil, err
	}
	me := journal.Person{ID: v.User.ID, Name: v.User.Name}
	for i := range all {
		made := &all[i]
		title := titleOf(folds[store.AskRef{Agent: made.Agent, Ask: made.Ask}], made.Ask)
		list = append(list, components.PendingReply{At: askAddress(at.Workspace.Slug, made.Agent, made.Ask), Title: title, Pending: pendingFrom(made, me, v.User.ID)})
	}
	return list, nil
}

// titleOf is what a page calls an ask.
func titleOf(fold []byte, id string) string {
	if title := figs.ReadAsk(figs.Fold([][]byte{fold})).Title; title != "" {
		return title
	}
	return id
}
