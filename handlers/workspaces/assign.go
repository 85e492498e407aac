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
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// ShowAssign shows who manages an agent and who built it, to those who may change it.
func (h Handlers) ShowAssign(c echo.Context) error {
	a, err := h.AgentHere(c)
	if err != nil {
		return err
	}
	return h.sendAssign(c, http.StatusOK, accountpages.Assign{Key: journal.Segment(a.ID), Agent: a.Name, Manager: a.Manager, Builder: a.Builder})
}

func (h Handlers) sendAssign(c echo.Context, status int, m accountpages.Assign) error {
	members, err := h.Store.Members(c.Request().Context(), auth.At(c).Workspace.ID)
	if err != nil {
		return err
	}
	for _, x := range hosted.PossibleAnswerers(members) {
		m.Rows = append(m.Rows, hosted.MemberRow(x))
	}
	site, err := h.Site(c, "", nil)
	if err != nil {
		return err
	}
	return h.SendPerson(c, site, status, accountpages.AssignPage(c.Request().Context(), site, m))
}

// Assign says who manages an agent and who built it: members of its workspace, or nobody.
func (h Handlers) Assign(c echo.Context) error {
	a, err := h.AgentHere(c)
	if err != nil {
		return err
	}
	ctx, manager, builder := c.Request().Context(), web.FormValue(c, "manager"), web.FormValue(c, "builder")
	err = h.Store.Assign(ctx, h.Actor(c), a.ID, manager, builder)
	if errors.Is(err, store.ErrCannotAnswer) {
		faults, status, _ := web.FaultsOf(&accounts.ValidationError{Sentence: "Only members, admins and owners can be an agent's manager or builder. Choose someone else, or change their role first."})
		return h.sendAssign(c, status, accountpages.Assign{Key: journal.Segment(a.ID), Agent: a.Name, Manager: manager, Builder: builder, Faults: faults})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(auth.At(c).Workspace.Slug)+"/agents/"+journal.Segment(a.ID)+"/agent#answers")
}
