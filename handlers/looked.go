package handlers

import (
	"fmt"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/store"
)

// download is how a file was opened that was downloaded; the other ways are the views of the report.
const download = "download"

// noteLooked notes that an attachment was shown to a person, or that they have downloaded it: an
// approval asks for that. That it could not be noted is no reason not to show it; the person
// sees the file as unopened then, and opens it again.
func (h *host) noteLooked(c echo.Context, sha256, ext, how string) {
	v, at := visitor.Of(c), visitor.At(c)
	if v == nil || v.Session == "" || at == nil || strings.Contains(c.Request().Header.Get("Sec-Purpose"), "prefetch") {
		return
	}
	o := store.Opened{Workspace: at.Workspace.ID, Person: v.User.ID, SHA256: sha256, Ext: ext, How: how, At: h.Now().UnixMicro()}
	if err := h.Store.Open(c.Request().Context(), o); err != nil {
		c.Set(faultKey, fmt.Errorf("what was opened was not noted: %w", err))
	}
}

// saw tells who notes it that a visitor was shown an attachment.
func (s *server) saw(c echo.Context, sha256, ext, how string) {
	if s.looked != nil {
		s.looked(c, sha256, ext, how)
	}
}
