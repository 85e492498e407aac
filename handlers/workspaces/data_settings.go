package workspaces

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/parcel"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/export"
	"github.com/figs-web/figs-web/internal/store"
)

// ShowData shows how much there is, and what the visitor may do with it.
func (h Handlers) ShowData(c echo.Context) error {
	return h.sendData(c, http.StatusOK, accountpages.Data{})
}

func (h Handlers) sendData(c echo.Context, status int, m accountpages.Data) error {
	ctx, at := c.Request().Context(), auth.At(c)
	size, err := h.Store.ExportCounts(ctx, at.Workspace.ID, "")
	if err != nil {
		return err
	}
	m.Size = dataSize(size)
	if _, m.Backed, err = h.Store.Fact(ctx, store.FactBackup); err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	waiting, err := h.Store.BlobRemovals(ctx, at.Workspace.ID)
	if err != nil {
		return err
	}
	if m.Removing = len(waiting); m.Removing > 0 {
		m.RemovingSince = waiting[0].At
	}
	m.Export = accounts.Can(at.Role, accounts.AgentRelation{}, accounts.ExportWorkspace)
	m.Delete = accounts.Can(at.Role, accounts.AgentRelation{}, accounts.DeleteWorkspace)
	agents, err := h.Store.ListAgents(ctx, at.Workspace.ID)
	if err != nil {
		return err
	}
	for i := range agents {
		if a := &agents[i]; accounts.Can(at.Role, accounts.RelationTo(web.SignedIn(c).User.ID, a), accounts.ExportAgent) {
			m.Agents = append(m.Agents, accountpages.DataAgent{Key: viewer.Segment(a.ID), Agent: a.Name})
		}
	}
	site, err := h.Site(c, "settings", nil)
	if err != nil {
		return err
	}
	return h.SendPerson(c, site, status, accountpages.DataPage(ctx, site, m))
}

func dataSize(s store.ExportSize) accountpages.DataSize {
	return accountpages.DataSize{Agents: s.Agents, Jobs: s.Runs, Asks: s.Asks, Messages: s.Messages, Lines: s.Lines, LineBytes: s.LineBytes, Files: s.Files, FileBytes: s.FileBytes}
}

// exported is what the address names: an agent, or with an empty one the whole workspace, and
// whether the visitor may take it.
func (h Handlers) exported(c echo.Context) (agent store.Agent, err error) {
	at, action, stands := auth.At(c), accounts.ExportWorkspace, accounts.AgentRelation{}
	if c.Param("agent") != "" {
		if agent, err = h.AgentHere(c); err != nil {
			return agent, err
		}
		action, stands = accounts.ExportAgent, accounts.RelationTo(web.SignedIn(c).User.ID, &agent)
	}
	if !accounts.Can(at.Role, stands, action) {
		return agent, hosted.ForbiddenError(accounts.RuleOf(action))
	}
	return agent, nil
}

// ShowExport says what an export will hold. It takes no proof: nothing leaves.
func (h Handlers) ShowExport(c echo.Context) error {
	agent, err := h.exported(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	size, err := h.Store.ExportSize(ctx, auth.At(c).Workspace.ID, agent.ID)
	if err != nil {
		return err
	}
	site, err := h.Site(c, "settings", nil)
	if err != nil {
		return err
	}
	m := accountpages.ExportForm{Agent: agent.Name, Size: dataSize(size)}
	if agent.ID != "" {
		m.Key = viewer.Segment(agent.ID)
	}
	return h.SendPerson(c, site, http.StatusOK, accountpages.ExportPage(ctx, site, m))
}

// SendExport sends the zip while it is made. The audit says so before the first byte leaves.
func (h Handlers) SendExport(c echo.Context) error {
	agent, err := h.exported(c)
	if err != nil {
		return err
	}
	ctx, at := c.Request().Context(), auth.At(c)
	e, err := export.Create(ctx, h.Store, at.Workspace.ID, agent.ID, at.Workspace.Name, h.Temp, h.Now())
	if err != nil {
		return err
	}
	defer e.Close()
	if err := h.Store.AuditExport(ctx, h.Actor(c), at.Workspace.ID, agent.ID); err != nil {
		return err
	}
	name := e.Name() + ".zip"
	if agent.ID == "" {
		name = at.Workspace.Slug + "-" + h.Now().UTC().Format(time.DateOnly) + ".zip"
	}
	head := c.Response().Header()
	head.Set("Content-Security-Policy", parcel.Policy)
	head.Set("Content-Disposition", parcel.Disposition(name))
	head.Set("Content-Type", "application/zip")
	c.Response().WriteHeader(http.StatusOK)
	if err := e.Zip(ctx, &patient{c.Response(), http.NewResponseController(c.Response())}, h.Blobs); err != nil {
		if ctx.Err() == nil {
			c.Set(web.FaultKey, fmt.Errorf("an export was cut off: %w", err))
		}
		panic(http.ErrAbortHandler) // the browser must not take a part for the whole
	}
	if lost := e.Lost(); len(lost) > 0 {
		c.Set(web.FaultKey, fmt.Errorf("an export lacks %d attachments whose bytes are lost or damaged", len(lost)))
	}
	return nil
}

// patient lets a long answer last as long as somebody reads it.
type patient struct {
	http.ResponseWriter
	control *http.ResponseController
}

const slowestExport = time.Minute // for one piece of an export

func (p *patient) Write(b []byte) (int, error) {
	_ = p.control.SetWriteDeadline(time.Now().Add(slowestExport)) // doors that know no limits are those of tests
	return p.ResponseWriter.Write(b)
}

// DeleteWorkspace marks the workspace as deleted, once its address was typed.
func (h Handlers) DeleteWorkspace(c echo.Context) error {
	at, word := auth.At(c), strings.TrimSpace(web.FormValue(c, "slug"))
	if word != at.Workspace.Slug {
		return h.sendData(c, http.StatusUnprocessableEntity, accountpages.Data{Typed: word, Faults: ui.Faults{"slug": {Sentence: "That isn't the name in the workspace URL, so nothing was deleted."}}})
	}
	if err := h.Store.DeleteWorkspace(c.Request().Context(), h.Actor(c), at.Workspace.ID); err != nil {
		return err
	}
	h.changed(c, at.Workspace.ID)
	return c.Redirect(http.StatusSeeOther, "/")
}
