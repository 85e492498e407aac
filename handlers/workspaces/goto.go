package workspaces

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/workspacepages"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/internal/accounts"
)

// ShowGoTo shows the agents, asks, pages and settings whose names match the URL's "q". With "as=list" the answer is the list
// alone, for the dialog that a script opens on any page.
func (h Handlers) ShowGoTo(c echo.Context) error {
	ctx, at, words := c.Request().Context(), auth.At(c), c.QueryParam("q")
	found, err := h.Journal(c).Destinations(ctx, words)
	if err != nil {
		return err
	}
	may := func(a accounts.Action) bool { return accounts.Can(at.Role, accounts.AgentRelation{}, a) }
	g := workspacepages.GoTo{Words: words, Found: found, Audits: may(accounts.ReadAudit), Feedback: may(accounts.ReadFeedback)}
	if c.QueryParam("as") != "list" {
		site, err := h.Site(c, "go", nil)
		if err != nil {
			return err
		}
		return h.SendPerson(c, site, http.StatusOK, workspacepages.GoToView(ctx, site, g))
	}
	site := ui.Site{Links: hosted.InWorkspace{Workspace: viewer.Segment(at.Workspace.Slug)}, Now: h.Now().UnixMicro(),
		Shell: &ui.Shell{Workspace: ui.PageLocation{Slug: at.Workspace.Slug, Name: at.Workspace.Name}, Role: string(at.Role), Operator: auth.Of(c).User.Operator}}
	var b strings.Builder
	if err := workspacepages.GoToList(site, g).Render(ctx, &b); err != nil {
		return err
	}
	return c.HTML(http.StatusOK, b.String())
}
