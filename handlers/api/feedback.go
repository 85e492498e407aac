package api

import (
	"errors"
	"net/http"

	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// act is who changes something, and when.
func (r *request) act() store.Act {
	return store.Act{By: r.visitor.User.ID, At: r.Auth.Now().UnixMicro()}
}

// createFeedback keeps what a tool, or somebody through one, has to say to those who run a
// workspace.
func createFeedback(r *request, sent fields) (any, error) {
	w, err := r.addressed(sent["workspace"])
	if err != nil {
		return nil, err
	}
	ctx, act := r.c.Request().Context(), r.act()
	err = accounts.LimitFeedback(ctx, r.Store, act.By, r.visitor.Token, act.At)
	var wait *accounts.RateLimitError
	if errors.As(err, &wait) {
		return nil, &httperr.Problem{Status: http.StatusTooManyRequests, Code: "feedback_too_often", Title: "You have reached today's feedback limit; this wasn't saved", Hint: "Send the rest in {0}, or all of it as one.", Args: []any{wait.Wait()}, Retry: wait.Seconds()}
	}
	if err != nil {
		return nil, err
	}
	f := store.Feedback{ID: store.NewID(), Workspace: w.ID, Person: act.By, Token: r.visitor.Token, Tool: sent["tool"], Version: sent["version"], Context: sent["context"], Text: sent["text"], At: act.At}
	err = r.Store.AddFeedback(ctx, f)
	if errors.Is(err, store.ErrLimitReached) {
		return nil, &httperr.Problem{Status: http.StatusConflict, Code: "feedback_full", Title: "The workspace's feedback list is full; this wasn't saved", Hint: "An owner can delete feedback in the workspace settings."}
	}
	if err != nil {
		return nil, err
	}
	return made(f.ID, "/w/"+journal.Segment(w.Slug)+"/settings/feedback"), nil
}

// addressed is the workspace that feedback is for: the one that is named, else the only one of who
// asks.
func (r *request) addressed(named string) (*store.Workspace, error) {
	all, err := r.Auth.Source.Memberships(r.c.Request().Context(), r.visitor.User.ID)
	if err != nil {
		return nil, err
	}
	slugs := make([]string, len(all))
	for i := range all {
		w := &all[i].Workspace
		if slugs[i] = w.Slug; w.ID == named || w.Slug == named || named == "" && len(all) == 1 {
			return w, nil
		}
	}
	if named != "" {
		return nil, store.ErrNotFound
	}
	return nil, &httperr.Problem{Status: http.StatusBadRequest, Code: "workspace_unclear", Title: "You have several workspaces or none, so the workspace is unclear; this wasn't saved", Hint: "Set the field workspace to one of those in the list \"workspaces\".", Fields: map[string]any{"workspaces": slugs}}
}
