package hosted

import (
	"fmt"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/store"
)

// NoteAlone notes that.
func (h *Host) NoteAlone(c echo.Context) func(viewer.Document) {
	if !web.OpenedAlone(c) {
		return nil
	}
	return func(d viewer.Document) { h.RecordView(c, d.SHA256, d.Ext, receipt.Alone) }
}

// RecordView notes that an attachment was sent to a person's page, that they have opened it alone, or
// that they have downloaded it. That it could not be noted is no reason not to show it; the person
// sees the file as not viewed then, and opens it again.
func (h *Host) RecordView(c echo.Context, sha256, ext, how string) {
	v, at := auth.Of(c), auth.At(c)
	if v == nil || v.Session == "" || at == nil {
		return
	}
	o := store.AttachmentView{Workspace: at.Workspace.ID, Person: v.User.ID, SHA256: sha256, Ext: ext, How: how, At: h.Now().UnixMicro()}
	if err := h.Store.AddAttachmentView(c.Request().Context(), o); err != nil {
		c.Set(web.FaultKey, fmt.Errorf("what was opened was not noted: %w", err))
	}
}
