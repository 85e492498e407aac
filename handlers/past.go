package handlers

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/fault"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

// render renders a page of an agent, at the point in its life that the path names. Who may see the page may see it at any
// point: what was erased since is gone from all of them.
func (h *host) render(ctx context.Context, site components.Site, now *storejournal.Journal, path string) (status int, title string, main []byte, err error) {
	j, err := now.Page(ctx, path)
	var missing *journal.Missing
	switch {
	case errors.As(err, &missing):
		return components.RenderUnseen(ctx, site, now, path, missing)
	case err != nil:
		return 0, "", nil, err
	}
	return components.Render(ctx, site, j, path)
}

// present refuses what is sent to a page of the past: nothing can be decided there.
func present(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if m := c.Request().Method; m != http.MethodGet && m != http.MethodHead && c.Request().URL.Query().Has("at") {
			return &fault.Problem{Status: http.StatusBadRequest, Code: "past", Title: "Nothing can be decided in the past",
				Hint: "Nothing was changed. Leave out at=… in the address, look at what there is now, and send the form from there."}
		}
		return next(c)
	}
}
