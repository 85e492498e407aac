package workspaces

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// FeedbackShown is how many messages stand on one page.
const FeedbackShown = 50

// ShowFeedback shows what tools have sent.
func (h Handlers) ShowFeedback(c echo.Context) error {
	ctx, at := c.Request().Context(), auth.At(c)
	from, err := strconv.Atoi(c.QueryParam("from"))
	if err != nil || from < 0 || from > store.MaxFeedback {
		from = 0
	}
	list, total, err := h.Store.ListFeedback(ctx, at.Workspace.ID, from, FeedbackShown)
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
	m := accountpages.Feedback{From: from, Total: total, Size: FeedbackShown, Removes: accounts.Can(at.Role, accounts.AgentRelation{}, accounts.RemoveFeedback), Done: c.QueryParam("notice")}
	for i := range list {
		f := &list[i]
		m.Items = append(m.Items, accountpages.FeedbackRow{Key: f.ID, Who: who[f.Person], Tool: f.Tool, Version: f.Version, Context: f.Context, Text: f.Text, At: f.At})
	}
	site, err := h.Site(c, "settings", nil)
	if err != nil {
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
