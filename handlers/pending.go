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
func (h *host) pendingReplies(ctx context.Context, v *visitor.Visitor, at *visitor.Place) (list []components.PendingReply, err error) {
	all, err := h.Store.PendingIn(ctx, at.Workspace.ID)
	if err != nil {
		return nil, err
	}
	me := journal.Person{ID: v.User.ID, Name: v.User.Name}
	for i := range all {
		made := &all[i]
		if made.By != v.User.ID {
			continue
		}
		title, err := h.titleOf(ctx, made)
		if err != nil {
			return nil, err
		}
		list = append(list, components.PendingReply{At: askAddress(at.Workspace.Slug, made.Agent, made.Ask), Title: title, Pending: pendingFrom(made, me, v.User.ID)})
	}
	return list, nil
}

// titleOf is what a page calls the ask of a decision.
func (h *host) titleOf(ctx context.Context, made *store.Made) (string, error) {
	folds, err := h.Store.Folds(ctx, made.Agent, figs.Asks, []string{made.Ask})
	if err != nil {
		return "", err
	}
	if title := figs.ReadAsk(figs.Fold([][]byte{folds[made.Ask]})).Title; title != "" {
		return title, nil
	}
	return made.Ask, nil
}
