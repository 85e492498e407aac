package decide

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/store"
)

// MarkViewed records that the visitor has read an attachment of an ask to its end, or which part of it was on
// their screen. Their page must show the ask as it is now, and the file must have been sent to it.
func (h Handlers) MarkViewed(c echo.Context) error {
	t, err := h.ReadReply(c, false)
	if t == nil {
		return err
	}
	i, how := web.ViewedFile(&t.form, &t.x.gate), web.ViewedHow(c)
	if t.form.Revision != t.x.Revision || i < 0 || how == "" {
		return web.ErrViewedOther
	}
	if !slices.ContainsFunc(t.x.opened[i], func(o store.AttachmentView) bool {
		return slices.Contains(web.SentWays, o.How) && web.LongAgo(o.At, t.now)
	}) {
		return web.ErrViewedEarly
	}
	file := &t.x.gate.Files[i]
	o := store.AttachmentView{Workspace: t.at.Workspace.ID, Person: t.user.ID, SHA256: file.SHA256, Ext: viewer.Extension(file.Name), How: how, At: t.now}
	if err := h.Store.AddAttachmentView(c.Request().Context(), o); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
