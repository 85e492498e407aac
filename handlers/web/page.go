package web

import (
	"bytes"
	"context"
	"html"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/httperr"
)

// hosted are addresses on this server: the paths themselves.
type hosted struct{}

// To returns the path.
func (hosted) To(path string) string { return path }

// Site is what every page of the server has.
func (s *Server) Site() ui.Site {
	return ui.Site{Links: hosted{}, Assets: s.Assets.Address, Notice: s.Notice}
}

// listRules shows all rules.
func (s *Server) listRules(c echo.Context) error { return s.showPage(c, "/rules") }

// showRule shows the lesson of one rule.
func (s *Server) showRule(c echo.Context) error { return s.showPage(c, "/rules/"+c.Param("code")) }

// showPage renders a page that needs no journal.
func (s *Server) showPage(c echo.Context, path string) error {
	status, title, main, err := components.Render(c.Request().Context(), s.Site(), nil, path)
	if err != nil {
		return err
	}
	return s.Send(c, status, title, main)
}

// showError turns any error into a page; HEAD gets its status alone.
func (s *Server) showError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	p := httperr.Of(err)
	if p.Retry > 0 {
		c.Response().Header().Set("Retry-After", strconv.Itoa(p.Retry))
	}
	switch {
	case c.Request().Method == http.MethodHead:
		err = c.NoContent(p.Status)
	case strings.HasPrefix(c.Request().URL.Path, "/api/") || AsJSON(c):
		err = SayJSON(c, p)
	case strings.HasPrefix(c.Path(), "/v/"):
		s.Viewer.Headers(c.Response().Header())
		err = c.HTMLBlob(p.Status, frameOf(c.Request().Context(), p))
	default:
		ctx := c.Request().Context()
		err = s.Send(c, p.Status, TitleOf(ctx, p), HTMLOf(ctx, p))
	}
	if err != nil {
		c.Response().WriteHeader(p.Status) // the visitor is gone, or the page itself is broken
	}
}

// SayJSON says a problem to a program: clients print "error" and nothing else.
func SayJSON(c echo.Context, p *httperr.Problem) error {
	body := map[string]any{}
	maps.Copy(body, p.Fields)
	body["error"] = p.Sentence()
	if p.Code != "" {
		body["code"] = p.Code
	}
	return c.JSON(p.Status, body)
}

// TitleOf is the title of a problem's page, in the language of the page and without a full stop.
func TitleOf(ctx context.Context, p *httperr.Problem) string {
	return strings.TrimSuffix(ui.Message(ctx, p.Title, p.Args), ".")
}

// HTMLOf is what the visitor reads of a problem.
func HTMLOf(ctx context.Context, p *httperr.Problem) []byte {
	return []byte(`<div class="page page-alone page-narrow"><header class="news"><h1>` + html.EscapeString(TitleOf(ctx, p)) +
		`</h1><p class="lede">` + html.EscapeString(ui.Message(ctx, p.Hint, p.Args)) + `</p></header><p><a class="button" href="/">` + html.EscapeString(i18n.Say(ctx, "Go to the start page")) + `</a></p></div>`)
}

// Send sends a page that no cache needs to be kept from.
func (s *Server) Send(c echo.Context, status int, title string, main []byte) error {
	if h := c.Response().Header(); h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-cache")
	}
	return s.SendPage(c, s.Site(), status, title, main)
}

// pages are buffers that pages are put together in. One that grew far beyond most is let go.
var pages = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const keptPage = 1 << 20

// SendPage puts the content into a whole page, and writes nothing before all of it is there.
func (s *Server) SendPage(c echo.Context, site ui.Site, status int, title string, main []byte) error {
	page := pages.Get().(*bytes.Buffer)
	defer func() {
		if page.Cap() <= keptPage {
			page.Reset()
			pages.Put(page)
		}
	}()
	content := templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := w.Write(main)
		return err
	})
	ctx := templ.WithChildren(c.Request().Context(), content)
	if err := ui.Document(site, title).Render(ctx, page); err != nil {
		return err
	}
	c.Response().Header().Add("Vary", "Accept-Language")
	return c.HTMLBlob(status, page.Bytes())
}
