package handlers

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

// agentRoutes are what those who run a workspace do with its agents, and with what those wrote.
func (h *host) agentRoutes(w *routing) {
	w.GET("/settings/agents", h.showAgentsSettings)
	one, moves, erases := w.under("/agents/:agent"), h.may(people.MoveAgent), h.may(people.Erase)
	one.POST("/archive", h.archiveAgent, h.may(people.ArchiveAgent))
	one.POST("/rename", h.grantName, h.may(people.RenameAgent))
	one.GET("/move", h.showMove, moves)
	one.POST("/move", h.moveAgent, moves)
	one.GET("/erase", h.showErase, erases)
	one.POST("/erase", h.erase, erases)
}

// showAgentsSettings lists the agents with what the visitor may do with each.
func (h *host) showAgentsSettings(c echo.Context) error {
	return h.sendAgentsSettings(c, http.StatusOK, components.AgentsSettings{Done: c.QueryParam("done")})
}

func (h *host) sendAgentsSettings(c echo.Context, status int, m components.AgentsSettings) error {
	ctx, at := c.Request().Context(), visitor.At(c)
	agents, err := h.Store.ListAgents(ctx, at.Workspace.ID)
	if err != nil {
		return err
	}
	var ids []string
	for i := range agents {
		ids = append(ids, agents[i].Manager, agents[i].Builder)
	}
	names, err := h.Store.Names(ctx, ids)
	if err != nil {
		return err
	}
	for i := range agents {
		row := agentRow(&agents[i], names, at.Role, people.StandsTo(me(c).User.ID, &agents[i]))
		if row.Archived != 0 {
			m.Archived = append(m.Archived, row)
		} else {
			m.Live = append(m.Live, row)
		}
	}
	site, err := h.site(c, "settings", nil)
	if err != nil {
		return err
	}
	return h.sendPerson(c, site, status, components.AgentsSettingsPage(ctx, site, m))
}

func agentRow(a *store.Agent, names map[string]string, role store.Role, stands people.Stands) components.AgentRow {
	may := func(action people.Action) bool { return people.May(role, stands, action) }
	return components.AgentRow{Key: journal.Segment(a.ID), Agent: a.Name, Manager: names[a.Manager], Builder: names[a.Builder], Pushed: a.Pushed, Archived: a.Archived,
		Asked: a.AskedName, AskedAt: a.AskedAt, Granted: a.GrantedName,
		Assigns: may(people.AssignAgent), Archives: may(people.ArchiveAgent), Renames: may(people.RenameAgent), Moves: may(people.MoveAgent), Exports: may(people.ExportAgent)}
}

// agentsSettled leads back to the list, which says what was done.
func agentsSettled(c echo.Context, done string) error {
	return c.Redirect(http.StatusSeeOther, workspaces+segment(visitor.At(c).Workspace.Slug)+"/settings/agents?done="+done)
}

// archiveAgent sets an agent aside, or brings it back.
func (h *host) archiveAgent(c echo.Context) error {
	a, err := h.agentHere(c)
	if err != nil {
		return err
	}
	archived := typed(c, "archived") == "1"
	if err := h.Store.Archive(c.Request().Context(), h.act(c), a.ID, archived); err != nil {
		return err
	}
	h.changed(c, a.Workspace)
	if archived {
		return agentsSettled(c, "archived")
	}
	return agentsSettled(c, "restored")
}

// grantName lets the name pass once under which an agent came, or takes that back.
func (h *host) grantName(c echo.Context) error {
	a, err := h.agentHere(c)
	if err != nil {
		return err
	}
	name := typed(c, "name")
	err = h.Store.GrantName(c.Request().Context(), h.act(c), a.ID, name)
	if errors.Is(err, store.ErrNotFound) {
		faults, status, _ := faultsOf(&people.Wrong{Sentence: "The agent has come under another name since. Look at the one below; nothing was changed."})
		return h.sendAgentsSettings(c, status, components.AgentsSettings{Faults: faults})
	}
	if err != nil {
		return err
	}
	h.changed(c, a.Workspace)
	if name == "" {
		return agentsSettled(c, "withdrawn")
	}
	return agentsSettled(c, "granted")
}

// changed tells open pages of a workspace that it has changed.
func (h *host) changed(c echo.Context, workspace string) {
	if seq, err := h.Store.Seq(c.Request().Context(), workspace); err == nil {
		h.Live.Changed(workspace, seq)
	}
}

// showMove asks where an agent is to go.
func (h *host) showMove(c echo.Context) error {
	a, err := h.agentHere(c)
	if err != nil {
		return err
	}
	return h.sendMove(c, http.StatusOK, &a, components.Move{})
}

func (h *host) sendMove(c echo.Context, status int, a *store.Agent, m components.Move) error {
	ctx := c.Request().Context()
	places, err := h.goals(c, a)
	if err != nil {
		return err
	}
	m.Key, m.Agent = journal.Segment(a.ID), a.Name
	for _, w := range places {
		m.Places = append(m.Places, components.Place{Slug: w.Slug, Name: w.Name})
	}
	site, err := h.site(c, "settings", nil)
	if err != nil {
		return err
	}
	return h.sendPerson(c, site, status, components.MovePage(ctx, site, m))
}

// goals are the other workspaces that the visitor may move agents to.
func (h *host) goals(c echo.Context, a *store.Agent) (places []store.Workspace, err error) {
	all, err := h.Store.Memberships(c.Request().Context(), me(c).User.ID)
	for _, m := range all {
		if m.Workspace.ID != a.Workspace && people.May(m.Role, people.Stands{}, people.MoveAgent) {
			places = append(places, m.Workspace)
		}
	}
	return places, err
}

// moveAgent registers an agent in another workspace, which the visitor runs, too.
func (h *host) moveAgent(c echo.Context) error {
	a, err := h.agentHere(c)
	if err != nil {
		return err
	}
	places, err := h.goals(c, &a)
	if err != nil {
		return err
	}
	chosen := typed(c, "to")
	for _, w := range places {
		if w.Slug != chosen {
			continue
		}
		err := h.Store.MoveAgent(c.Request().Context(), h.act(c), a.ID, w.ID)
		var pending *store.Pending
		if errors.As(err, &pending) {
			return h.refuseMove(c, &a, chosen, "Somebody has just replied to one of its asks, and can still take that back. Try again in ten seconds.")
		}
		if err != nil {
			return err
		}
		h.changed(c, a.Workspace)
		h.changed(c, w.ID)
		return c.Redirect(http.StatusSeeOther, workspaces+segment(w.Slug)+"/settings/agents?done=moved")
	}
	return h.refuseMove(c, &a, chosen, "Choose a workspace of which you are an owner or admin, other than this one.")
}

func (h *host) refuseMove(c echo.Context, a *store.Agent, chosen, why string) error {
	faults, status, err := faultsOf(&people.Wrong{Sentence: why})
	if err != nil {
		return err
	}
	return h.sendMove(c, status, a, components.Move{To: chosen, Faults: faults})
}

// follow leads from the old address of an agent that has moved to its new one, if the visitor belongs
// to that workspace, too. For everybody else there is no such agent.
func (h *host) follow(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		id, ok := journal.Named(c.Param("agent"))
		if !ok || sentTo(c) {
			return next(c)
		}
		ctx, at := c.Request().Context(), visitor.At(c)
		a, err := h.Store.Agent(ctx, id)
		if err != nil || a.Workspace == at.Workspace.ID {
			return next(c) // which says so
		}
		all, err := h.Store.Memberships(ctx, me(c).User.ID)
		if err != nil {
			return err
		}
		for _, m := range all {
			if m.Workspace.ID == a.Workspace && people.May(m.Role, people.Stands{}, people.ReadWorkspace) {
				old, now := workspaces+segment(at.Workspace.Slug)+"/", workspaces+segment(m.Workspace.Slug)+"/"
				return c.Redirect(http.StatusSeeOther, strings.Replace(c.Request().URL.RequestURI(), old, now, 1))
			}
		}
		return next(c)
	}
}
