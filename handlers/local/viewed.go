package local

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/receipt"
)

// markViewed is that of an open folder.
func (s *FolderServer) markViewed(c echo.Context) error {
	t, err := s.readReply(c)
	if t == nil {
		return err
	}
	i, how := web.ViewedFile(&t.form, &t.gate), web.ViewedHow(c)
	if t.form.Revision != s.opening.Replies.Revision(t.ask) || i < 0 || how == "" {
		return web.ErrViewedOther
	}
	file, now := &t.gate.Files[i], s.opening.Now().UnixMicro()
	if !s.replies.sentBefore(file.SHA256, viewer.Extension(file.Name), now) {
		return web.ErrViewedEarly
	}
	s.replies.view(file.SHA256, viewer.Extension(file.Name), how)
	return c.NoContent(http.StatusNoContent)
}

func (s *FolderServer) noteAlone(c echo.Context) func(viewer.Document) {
	if s.replies == nil || !web.OpenedAlone(c) {
		return nil
	}
	return func(d viewer.Document) { s.replies.view(d.SHA256, d.Ext, receipt.Alone) }
}
