package workspaces

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// ShowFeedback shows what tools have sent, or sends what a filter leaves of it as a file.
func (h Handlers) ShowFeedback(c echo.Context) error {
	ctx, at := c.Request().Context(), auth.At(c)
	r, err := h.ListRequest(c, "feedback")
	if err != nil {
		return err
	}
	list, err := h.Store.ListFeedback(ctx, at.Workspace.ID)
	if err != nil {
		return err
	}
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].Person
	}
	who, err := h.Store.UserNames(ctx, ids)
	if err != nil {
		return err
	}
	m := accountpages.Feedback{List: r, Removes: accounts.Can(at.Role, accounts.AgentRelation{}, accounts.RemoveFeedback)}
	for i := range list {
		f := &list[i]
		m.Items = append(m.Items, accountpages.FeedbackRow{Key: f.ID, Who: who[f.Person], Tool: f.Tool, Version: f.Version, Context: f.Context, Text: f.Text, At: f.At})
	}
	site, err := h.Site(c, "settings", nil)
	if err != nil {
		return err
	}
	if sent, err := hosted.SendListFile(c, r, accountpages.FeedbackList(ctx, site), m.Items); sent || err != nil {
		return err
	}
	return h.SendPerson(c, site, http.StatusOK, accountpages.FeedbackPage(ctx, site, m))
}

// RemoveFeedback forgets one. One that is gone already is left so.
func (h Handlers) RemoveFeedback(c echo.Context) error {
	slug := auth.At(c).Workspace.Slug
	err := h.Store.RemoveFeedback(c.Request().Context(), h.Actor(c), auth.At(c).Workspace.ID, web.FormValue(c, "id"))
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(slug)+"/settings/feedback?notice=feedback-removed")
}
