package handlers

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/store"
)

// download is how a file was opened that was downloaded; the other ways are the views of the report, those of
// package receipt.
const download = receipt.Downloaded

// noteLooked notes that an attachment was sent to a person's page, that they have opened it alone, or
// that they have downloaded it. That it could not be noted is no reason not to show it; the person
// sees the file as not viewed then, and opens it again.
func (h *host) noteLooked(c echo.Context, sha256, ext, how string) {
	v, at := visitor.Of(c), visitor.At(c)
	if v == nil || v.Session == "" || at == nil {
		return
	}
	o := store.Opened{Workspace: at.Workspace.ID, Person: v.User.ID, SHA256: sha256, Ext: ext, How: how, At: h.Now().UnixMicro()}
	if err := h.Store.Open(c.Request().Context(), o); err != nil {
		c.Set(faultKey, fmt.Errorf("what was opened was not noted: %w", err))
	}
}

// saw tells who notes it that a visitor was shown an attachment, or has downloaded it. What was
// loaded ahead nobody has seen, and a download that a page elsewhere began tells nothing of a person;
// frames are held against their page before.
func (s *server) saw(c echo.Context, sha256, ext, how string) {
	r := c.Request()
	if s.looked == nil || ahead(r) || how == download && !ours(r) {
		return
	}
	s.looked(c, sha256, ext, how)
}

// ahead reports whether a browser loads something before anybody has asked for it.
func ahead(r *http.Request) bool {
	for _, name := range []string{"Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"} {
		for _, value := range r.Header.Values(name) {
			if strings.Contains(value, "prefetch") || strings.Contains(value, "prerender") || strings.Contains(value, "preview") {
				return true
			}
		}
	}
	return false
}
