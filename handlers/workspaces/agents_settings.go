package workspaces

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// ShowAgentsSettings lists the agents with what the visitor may do with each.
func (h Handlers) ShowAgentsSettings(c echo.Context) error {
	return h.sendAgentsSettings(c, http.StatusOK, accountpages.AgentsSettings{Done: c.QueryParam("notice")})
}

func (h Handlers) sendAgentsSettings(c echo.Context, status int, m accountpages.AgentsSettings) error {
	ctx, at := c.Request().Context(), auth.At(c)
	agents, err := h.Store.ListAgents(ctx, at.Workspace.ID)
	if err != nil {
		return err
	}
	var ids []string
	for i := range agents {
		ids = append(ids, agents[i].Manager, agents[i].Builder)
	}
	names, err := h.Store.UserNames(ctx, ids)
	if err != nil {
		return err
	}
	for i := range agents {
		m.Rows = append(m.Rows, agentRow(&agents[i], names, at.Role, accounts.RelationTo(web.SignedIn(c).User.ID, &agents[i])))
	}
	if m.List, err = h.ListRequest(c, "agents"); err != nil {
		return err
	}
	if sent, err := hosted.SendListFile(c, m.List, accountpages.AgentList(ctx), m.Rows); sent || err != nil {
		return err
	}
	site, err := h.Site(c, "settings", nil)
	if err != nil {
		return err
	}
	return h.SendPerson(c, site, status, accountpages.AgentsSettingsPage(ctx, site, m))
}

func agentRow(a *store.Agent, names map[string]string, role store.Role, stands accounts.AgentRelation) accountpages.AgentRow {
	may := func(action accounts.Action) bool { return accounts.Can(role, stands, action) }
	return accountpages.AgentRow{Key: journal.Segment(a.ID), Agent: a.Name, Department: a.Department, Manager: names[a.Manager], Builder: names[a.Builder], Pushed: a.Pushed, Archived: a.Archived,
		Asked: a.RequestedName, AskedAt: a.RequestedAt, Granted: a.AllowedName,
		Assigns: may(accounts.AssignAgent), Archives: may(accounts.ArchiveAgent), Renames: may(accounts.RenameAgent), Moves: may(accounts.MoveAgent), Exports: may(accounts.ExportAgent)}
}

// agentsSettled leads back to the list, which says what was done.
func agentsSettled(c echo.Context, notice string) error {
	return c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(auth.At(c).Workspace.Slug)+"/settings/agents?notice="+notice)
}

// ArchiveAgent sets an agent aside, or brings it back.
func (h Handlers) ArchiveAgent(c echo.Context) error {
	a, err := h.AgentHere(c)
	if err != nil {
		return err
	}
	archived := web.FormValue(c, "archived") == "1"
	if err := h.Store.Archive(c.Request().Context(), h.Actor(c), a.ID, archived); err != nil {
		return err
	}
	h.changed(c, a.Workspace)
	if archived {
		return agentsSettled(c, "agent-archived")
	}
	return agentsSettled(c, "agent-restored")
}

// GrantName lets the name pass once under which an agent came, or takes that back.
func (h Handlers) GrantName(c echo.Context) error {
	a, err := h.AgentHere(c)
	if err != nil {
		return err
	}
	name := web.FormValue(c, "name")
	err = h.Store.AllowName(c.Request().Context(), h.Actor(c), a.ID, name)
	if errors.Is(err, store.ErrNotFound) {
		faults, status, _ := web.FaultsOf(&accounts.ValidationError{Sentence: "The agent has since pushed under a different name, shown below. Nothing was changed."})
		return h.sendAgentsSettings(c, status, accountpages.AgentsSettings{Faults: faults})
	}
	if err != nil {
		return err
	}
	h.changed(c, a.Workspace)
	if name == "" {
		return agentsSettled(c, "name-approval-revoked")
	}
	return agentsSettled(c, "name-approved")
}

// changed tells open pages of a workspace that it has changed.
func (h Handlers) changed(c echo.Context, workspace string) {
	if seq, err := h.Store.Seq(c.Request().Context(), workspace); err == nil {
		h.Live.Changed(workspace, seq)
	}
}

// ShowMove asks where an agent is to go.
func (h Handlers) ShowMove(c echo.Context) error {
	a, err := h.AgentHere(c)
	if err != nil {
		return err
	}
	return h.sendMove(c, http.StatusOK, &a, accountpages.Move{})
}

func (h Handlers) sendMove(c echo.Context, status int, a *store.Agent, m accountpages.Move) error {
	ctx := c.Request().Context()
	places, err := h.goals(c, a)
	if err != nil {
		return err
	}
	m.Key, m.Agent = journal.Segment(a.ID), a.Name
	for _, w := range places {
		m.Places = append(m.Places, ui.PageLocation{Slug: w.Slug, Name: w.Name})
	}
	site, err := h.Site(c, "settings", nil)
	if err != nil {
		return err
	}
	return h.SendPerson(c, site, status, accountpages.MovePage(ctx, site, m))
}

// goals are the other workspaces that the visitor may move agents to.
func (h Handlers) goals(c echo.Context, a *store.Agent) (places []store.Workspace, err error) {
	all, err := h.Store.Memberships(c.Request().Context(), web.SignedIn(c).User.ID)
	for _, m := range all {
		if m.Workspace.ID != a.Workspace && accounts.Can(m.Role, accounts.AgentRelation{}, accounts.MoveAgent) {
			places = append(places, m.Workspace)
		}
	}
	return places, err
}

// MoveAgent registers an agent in another workspace, which the visitor runs, too.
func (h Handlers) MoveAgent(c echo.Context) error {
	a, err := h.AgentHere(c)
	if err != nil {
		return err
	}
	places, err := h.goals(c, &a)
	if err != nil {
		return err
	}
	chosen := web.FormValue(c, "to")
	for _, w := range places {
		if w.Slug != chosen {
			continue
		}
		err := h.Store.MoveAgent(c.Request().Context(), h.Actor(c), a.ID, w.ID)
		var pending *store.PendingError
		if errors.As(err, &pending) {
			return h.refuseMove(c, &a, chosen, "Someone has just replied to one of the agent's asks and can still undo that. Nothing was changed; try again in 10 seconds.")
		}
		if err != nil {
			return err
		}
		h.changed(c, a.Workspace)
		h.changed(c, w.ID)
		return c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(w.Slug)+"/settings/agents?notice=agent-moved")
	}
	return h.refuseMove(c, &a, chosen, "Choose another workspace where you are an owner or admin.")
}

func (h Handlers) refuseMove(c echo.Context, a *store.Agent, chosen, why string) error {
	faults, status, err := web.FaultsOf(&accounts.ValidationError{Sentence: why})
	if err != nil {
		return err
	}
	return h.sendMove(c, status, a, accountpages.Move{To: chosen, Faults: faults})
}

// RedirectMoved leads from the old address of an agent that has moved to its new one, if the visitor belongs
// to that workspace, too. For everybody else there is no such agent.
func (h Handlers) RedirectMoved(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		id, ok := journal.ParseSegment(c.Param("agent"))
		if !ok || hosted.IsFormAddress(c) {
			return next(c)
		}
		ctx, at := c.Request().Context(), auth.At(c)
		a, err := h.Store.Agent(ctx, id)
		if err != nil || a.Workspace == at.Workspace.ID {
			return next(c) // which says so
		}
		all, err := h.Store.Memberships(ctx, web.SignedIn(c).User.ID)
		if err != nil {
			return err
		}
		for _, m := range all {
			if m.Workspace.ID == a.Workspace && accounts.Can(m.Role, accounts.AgentRelation{}, accounts.ReadWorkspace) {
				old, now := web.Workspaces+viewer.Segment(at.Workspace.Slug)+"/", web.Workspaces+viewer.Segment(m.Workspace.Slug)+"/"
				return c.Redirect(http.StatusSeeOther, strings.Replace(c.Request().URL.RequestURI(), old, now, 1))
			}
		}
		return next(c)
	}
}
