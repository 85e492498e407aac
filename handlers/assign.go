package handlers

import (
	"errors"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

// agentHere is the agent of the address, if it is registered in the workspace of the address.
func (h *host) agentHere(c echo.Context) (store.Agent, error) {
	id, ok := journal.Named(c.Param("agent"))
	if !ok {
		return store.Agent{}, echo.ErrNotFound
	}
	a, err := h.Store.Agent(c.Request().Context(), id)
	if err == nil && a.Workspace != visitor.At(c).Workspace.ID {
		err = store.ErrNotFound
	}
	return a, err
}

// answerable lets those who run the workspace choose who answers for an agent on its own page.
func (h *host) answerable(c echo.Context, shell *components.Shell) error {
	at := visitor.At(c)
	if !people.May(at.Role, people.Stands{}, people.AssignAgent) {
		return nil
	}
	members, err := h.Store.Members(c.Request().Context(), at.Workspace.ID)
	for _, m := range canAnswer(members) {
		shell.Members = append(shell.Members, journal.Person{ID: m.User.ID, Name: m.User.Name})
	}
	return err
}

// canAnswer leaves those members who can be manager or builder of an agent.
func canAnswer(members []store.Membership) []store.Membership {
	return slices.DeleteFunc(slices.Clone(members), func(m store.Membership) bool { return !people.CanAnswer(m.Role) })
}

// showAssign shows who manages an agent and who built it, to those who may change it.
func (h *host) showAssign(c echo.Context) error {
	a, err := h.agentHere(c)
	if err != nil {
		return err
	}
	return h.sendAssign(c, http.StatusOK, components.Assign{Key: journal.Segment(a.ID), Agent: a.Name, Manager: a.Manager, Builder: a.Builder})
}

func (h *host) sendAssign(c echo.Context, status int, m components.Assign) error {
	members, err := h.Store.Members(c.Request().Context(), visitor.At(c).Workspace.ID)
	if err != nil {
		return err
	}
	for _, x := range canAnswer(members) {
		m.Rows = append(m.Rows, memberRow(x))
	}
	site, err := h.site(c, "", nil)
	if err != nil {
		return err
	}
	return h.sendPerson(c, site, status, components.AssignPage(c.Request().Context(), site, m))
}

// assign says who manages an agent and who built it: members of its workspace, or nobody.
func (h *host) assign(c echo.Context) error {
	a, err := h.agentHere(c)
	if err != nil {
		return err
	}
	ctx, manager, builder := c.Request().Context(), typed(c, "manager"), typed(c, "builder")
	err = h.Store.Assign(ctx, h.act(c), a.ID, manager, builder)
	if errors.Is(err, store.ErrCannotAnswer) {
		faults, status, _ := faultsOf(&people.Wrong{Sentence: "Only members, admins and owners of this workspace can answer for an agent. Choose someone else, or change their role first."})
		return h.sendAssign(c, status, components.Assign{Key: journal.Segment(a.ID), Agent: a.Name, Manager: manager, Builder: builder, Faults: faults})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, workspaces+segment(visitor.At(c).Workspace.Slug)+"/agents/"+journal.Segment(a.ID)+"/agent#answers")
}
