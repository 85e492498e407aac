package handlers

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

// policyRoutes are the page of what a workspace has set, which every member may read.
func (h *host) policyRoutes(w *routing) {
	w.GET("/settings/policy", h.showPolicy)
	w.POST("/settings/policy", h.setPolicy, h.may(people.SetPolicy))
	w.POST("/settings/policy/name", h.renameWorkspace, h.may(people.RenameWorkspace))
}

// showPolicy shows what an approval takes, and what notifications may say.
func (h *host) showPolicy(c echo.Context) error {
	return h.sendPolicy(c, http.StatusOK, components.Policy{Called: visitor.At(c).Workspace.Name, Done: c.QueryParam("done")})
}

// sendPolicy fills in everything that m does not say.
func (h *host) sendPolicy(c echo.Context, status int, m components.Policy) (err error) {
	at := visitor.At(c)
	m.Renames, m.Sets = people.May(at.Role, people.Stands{}, people.RenameWorkspace), people.May(at.Role, people.Stands{}, people.SetPolicy)
	m.TickAll, m.StepUp, m.TellWords = at.Workspace.TickAll, at.Workspace.StepUp, at.Workspace.TellWords
	if m.Signing, err = h.signingKey(c); err != nil {
		return err
	}
	site, err := h.site(c, "settings", nil)
	if err != nil {
		return err
	}
	return h.sendPerson(c, site, status, components.PolicyPage(c.Request().Context(), site, m))
}

// setPolicy sets all of it, as the form has it. What protects less than before takes a fresh proof; the store compares, since
// another admin may set a stricter policy at the same time.
func (h *host) setPolicy(c echo.Context) error {
	err := h.savePolicy(c, false)
	if errors.Is(err, store.ErrNeedsProof) {
		return h.proves(people.WeakenPolicy)(func(c echo.Context) error { return h.savePolicy(c, true) })(c)
	}
	return err
}

func (h *host) savePolicy(c echo.Context, proved bool) error {
	p := store.Policy{TickAll: typed(c, "all") == "1", StepUp: typed(c, "step-up") == "1", TellWords: typed(c, "words") == "1"}
	if err := h.Store.SetPolicy(c.Request().Context(), h.act(c), visitor.At(c).Workspace.ID, p, proved); err != nil {
		return err
	}
	return onPolicy(c, "policy")
}

// renameWorkspace changes what the workspace is called, never its address.
func (h *host) renameWorkspace(c echo.Context) error {
	name, err := people.CheckName("name", typed(c, "name"))
	if err != nil {
		faults, status, err := faultsOf(err)
		if err != nil {
			return err
		}
		return h.sendPolicy(c, status, components.Policy{Called: typed(c, "name"), Faults: faults})
	}
	if err := h.Store.RenameWorkspace(c.Request().Context(), h.act(c), visitor.At(c).Workspace.ID, name); err != nil {
		return err
	}
	return onPolicy(c, "name")
}

// onPolicy leads back to the page, which says what was done.
func onPolicy(c echo.Context, done string) error {
	return c.Redirect(http.StatusSeeOther, workspaces+segment(visitor.At(c).Workspace.Slug)+"/settings/policy?done="+done)
}
