package api

import (
	"context"
	"net/http"
	"sync"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/mcp"
	"github.com/figs-web/figs-web/internal/project"
	"github.com/figs-web/figs-web/internal/version"
)

// MCPPath is where clients of the Model Context Protocol reach a workspace.
const MCPPath = "/mcp/:workspace"

// mcpRoute answers these clients, which come with a token as those of the API do. Its tools only read, so that a token that
// reads is enough.
func (a *API) mcpRoute(e *echo.Echo) {
	var servers sync.Map // *mcp.Server by the workspace's id
	h := mcp.NewHTTP(func(r *http.Request) *mcp.Server {
		id := r.Context().Value(mcpWorkspace{}).(string)
		known, ok := servers.Load(id)
		if !ok {
			known, _ = servers.LoadOrStore(id, mcp.New(hostedFolder{a, id}, mcp.Options{Version: version.Version, AgentsOnly: true}))
		}
		return known.(*mcp.Server)
	}, func(origin string) bool { return mcp.SameOrigin(origin, a.Public) })
	e.POST(MCPPath, func(c echo.Context) error {
		r := c.Request()
		h.ServeHTTP(c.Response(), r.WithContext(context.WithValue(r.Context(), mcpWorkspace{}, auth.At(c).Workspace.ID)))
		return nil
	}, headers, a.Auth.Session, a.recognised, byToken, a.Auth.Member)
}

// mcpWorkspace is the key under which a request's context has the id of its workspace.
type mcpWorkspace struct{}

// hostedFolder is a workspace as the MCP server reads it.
type hostedFolder struct {
	api *API
	id  string
}

// Journal implements mcp.Folder. One journal answers for every page.
func (f hostedFolder) Journal(context.Context, string) (journal.Journal, error) {
	return f.api.Journal(f.id), nil
}

// Key implements mcp.Folder: on a server the key of a record is its id, as addresses have it. A key is its own.
func (f hostedFolder) Key(_ context.Context, _ string, _ figs.File, id string) (string, error) {
	if _, ok := journal.ParseSegment(id); ok {
		return id, nil
	}
	return journal.Segment(id), nil
}

// Project implements mcp.Folder. A server has no folders of other kinds.
func (f hostedFolder) Project(context.Context) (*project.Project, error) { return nil, nil }
