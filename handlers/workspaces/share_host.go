package workspaces

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/share"
)

// ShowShare shows what would be replaced. It takes no proof: nothing leaves.
func (h Handlers) ShowShare(c echo.Context) error {
	if _, err := h.AgentHere(c); err != nil {
		return err
	}
	sharer, err := h.SharerOf(c)
	if err != nil {
		return err
	}
	if sharer == nil {
		return hosted.ForbiddenError(accounts.RuleOf(accounts.ExportAgent))
	}
	if _, ok := journal.ParseSegment(c.Param("key")); !ok {
		return echo.ErrNotFound
	}
	site, err := h.Site(c, "", h.ShownIn(auth.At(c).Workspace.ID))
	if err != nil {
		return err
	}
	site.Sharer = sharer
	path := "/" + c.Param("agent") + "/share/" + c.Param("key")
	if q := c.Request().URL.RawQuery; q != "" {
		path += "?" + q
	}
	status, title, main, err := h.Render(c.Request().Context(), site, h.Journal(c), path)
	if err != nil {
		return err
	}
	return h.SendPage(c, site, status, title, main)
}

// SendShare sends the copy that was chosen, or shows the page again with other choices.
func (h Handlers) SendShare(c echo.Context) error {
	sent, err := c.FormParams()
	if err != nil {
		return echo.ErrBadRequest
	}
	ask, ok := journal.ParseSegment(c.Param("key"))
	if !ok || ask == "" {
		return echo.ErrNotFound
	}
	if as := sent.Get("as"); as != "zip" && as != "page" {
		return c.Redirect(http.StatusSeeOther, c.Request().URL.EscapedPath()+"?"+share.ParseOptions(sent).Form().Encode())
	}
	f, err := h.AskFolder(c, ask)
	if err != nil {
		return err
	}
	agent, err := h.AgentHere(c)
	if err != nil {
		return err
	}
	note := func() error {
		return h.Store.AuditExport(c.Request().Context(), h.Actor(c), auth.At(c).Workspace.ID, agent.ID)
	}
	return h.SendCopy(c, f, ask, sent, h.Now(), note)
}
