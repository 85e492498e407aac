package handlers

import (
	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/api"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

// api registers the API for programs, which asks the journal that the pages ask.
func (h *host) api(e *echo.Echo) {
	api.New(api.Config{Desk: h.desk, Store: h.Store, Blobs: h.Blobs, Public: h.Public, Journal: func(workspace string) journal.Workspace {
		return storejournal.New(h.Store, workspace, h.Now().UnixMicro()).Reading(h.whole).Remembering(h.pasts)
	}}).Routes(e)
}
