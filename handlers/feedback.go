package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

// feedbackShown is how many messages stand on one page.
const feedbackShown = 50

// feedbackRoutes are the page of what tools have sent, for those who run the workspace.
func (h *host) feedbackRoutes(w *routing) {
	w.GET("/settings/feedback", h.showFeedback, h.may(people.ReadFeedback))
	w.POST("/settings/feedback/remove", h.removeFeedback, h.may(people.RemoveFeedback))
}

// showFeedback shows what tools have sent.
func (h *host) showFeedback(c echo.Context) error {
	ctx, at := c.Request().Context(), visitor.At(c)
	from, err := strconv.Atoi(c.QueryParam("from"))
	if err != nil || from < 0 || from > store.MostFeedback {
		from = 0
	}
	list, total, err := h.Store.ListFeedback(ctx, at.Workspace.ID, from, feedbackShown)
	if err != nil {
		return err
	}
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].Person
	}
	who, err := h.Store.Names(ctx, ids)
	if err != nil {
		return err
	}
	m := components.Feedback{From: from, Total: total, Size: feedbackShown, Removes: people.May(at.Role, people.Stands{}, people.RemoveFeedback), Done: c.QueryParam("done")}
	for i := range list {
		f := &list[i]
		m.Items = append(m.Items, components.FeedbackRow{Key: f.ID, Who: who[f.Person], Tool: f.Tool, Version: f.Version, Context: f.Context, Text: f.Text, At: f.At})
	}
	site, err := h.site(c, "settings", nil)
	if err != nil {
		return err
	}
	return h.sendPerson(c, site, http.StatusOK, components.FeedbackPage(ctx, site, m))
}

// removeFeedback forgets one. One that is gone already is left so.
func (h *host) removeFeedback(c echo.Context) error {
	slug := visitor.At(c).Workspace.Slug
	err := h.Store.RemoveFeedback(c.Request().Context(), h.act(c), visitor.At(c).Workspace.ID, typed(c, "id"))
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return c.Redirect(http.StatusSeeOther, workspaces+segment(slug)+"/settings/feedback?done=feedback")
}
