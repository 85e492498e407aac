package handlers

import (
	"html"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/fault"
)

// again keeps a form that could not be taken up because the server is in trouble: the page that says so
// sends it once more, so that nothing that was typed is lost. It stands behind sameOrigin, because no page
// elsewhere may lay words into such a form.
func (h *host) again(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		err := next(c)
		if err == nil || c.Response().Committed || asJSON(c) {
			return err
		}
		p := fault.Of(err)
		if p.Retry == 0 || p.Status != http.StatusServiceUnavailable && p.Status != http.StatusInsufficientStorage {
			return err
		}
		if r := c.Request(); r.PostForm == nil && readFormOf(c, mostReply) != nil {
			return err
		}
		c.Set(faultKey, p.ForOperator())
		c.Response().Header().Set("Retry-After", strconv.Itoa(p.Retry))
		ctx := c.Request().Context()
		var b strings.Builder
		b.WriteString(`<form class="page page-alone page-narrow" method="post" action="` + html.EscapeString(c.Request().URL.EscapedPath()) + `">`)
		for _, f := range hiddenFields(c.Request().PostForm) {
			b.WriteString(`<input type="hidden" name="` + html.EscapeString(f.Key) + `" value="` + html.EscapeString(f.Held) + `">`)
		}
		b.WriteString(`<button class="button">` + html.EscapeString(components.Say(ctx, "Send again")) + `</button></form>`)
		return h.server.send(c, p.Status, components.Say(ctx, p.Title), append(htmlOf(ctx, p), b.String()...))
	}
}
