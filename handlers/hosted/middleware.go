package hosted

import (
	"context"
	"html"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/web"
)

// StrictTransport tells browsers to come by TLS from now on, where the server is reached that way.
func (h *Host) StrictTransport(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if h.Public.Scheme == "https" {
			c.Response().Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		return next(c)
	}
}

// OwnNamesOnly refuses requests for a name that is not the server's, where it listens on this machine
// only: a page elsewhere may let its own name lead here, and would then be of the same origin
// (DNS rebinding). A person who came by another name of this machine is led to the public one,
// whose cookie and frames the pages count on.
func (h *Host) OwnNamesOnly(next echo.HandlerFunc) echo.HandlerFunc {
	if h.Listen == "" {
		return next
	}
	public := strings.ToLower(h.Public.Host)
	_, port, _ := net.SplitHostPort(h.Listen)
	names := web.Hosts(h.Listen, port)
	for _, host := range []string{"127.0.0.1", "::1"} {
		names[net.JoinHostPort(host, port)] = true
	}
	elsewhere := !names[public]
	names[public] = true
	return func(c echo.Context) error {
		r := c.Request()
		host := strings.ToLower(r.Host)
		switch {
		case !names[host]:
			return &httperr.Problem{Status: http.StatusForbidden, Code: "host_unknown", Title: "This server doesn't answer requests for that host name",
				Hint: "Its URL is {0}. Its administrator can set another one with figs-web serve --public-url.", Args: []any{h.Public.String()}}
		case host != public && !elsewhere && r.Method == http.MethodGet && web.OpensPage(r):
			return c.Redirect(http.StatusTemporaryRedirect, h.Public.String()+r.URL.RequestURI())
		}
		return next(c)
	}
}

// LongStreams lets streams of events last, until their page goes or the server is told to stop. The
// server's own limits are for requests that only read; bodies have theirs in package pushapi.
func (h *Host) LongStreams(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !web.IsStream(c) {
			return next(c)
		}
		// The limit on reading would end the stream too, because a server looks out for its
		// visitor's going by reading on. Doors that know no limits are those of tests.
		control := http.NewResponseController(c.Response())
		_ = control.SetReadDeadline(time.Time{})
		_ = control.SetWriteDeadline(time.Time{})
		if h.Stopping != nil {
			if h.Stopping.Err() != nil { // another server takes it, or this one when it has started again
				return &httperr.Problem{Status: http.StatusServiceUnavailable, Code: web.Stopped, Retry: 1, Title: "This server is shutting down", Hint: "The page tries again automatically."}
			}
			r := c.Request()
			ctx, cancel := context.WithCancel(r.Context())
			defer cancel()
			defer context.AfterFunc(h.Stopping, cancel)()
			c.SetRequest(r.WithContext(ctx))
		}
		return next(c)
	}
}

// CheckForms lets a browser change something only by a form of this server: a page elsewhere may send
// one here too, and the browser would add the session to it. The form is read before its handler
// runs, so that a broken one reaches none.
func (h *Host) CheckForms(next echo.HandlerFunc) echo.HandlerFunc {
	guard := http.NewCrossOriginProtection()
	trusted := guard.AddTrustedOrigin(h.Public.String())
	return func(c echo.Context) error {
		if trusted != nil {
			return trusted
		}
		r := c.Request()
		if err := guard.Check(r); err != nil {
			return &httperr.Problem{Status: http.StatusForbidden, Code: "other_origin", Title: "This form was sent from another page",
				Hint: "Nothing was changed. To do this, open {0} and do it there.", Args: []any{h.Public.String()}, Cause: err}
		}
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			return next(c)
		}
		if err := web.ReadForm(c); err != nil {
			return err
		}
		return next(c)
	}
}

// Person is a page's site outside of workspaces.
func (h *Host) Person() ui.Site {
	s := h.Server.Site()
	now := h.Now()
	zone, offset := now.Zone()
	s.Now, s.Zone, s.ZoneName, s.Public = now.UnixMicro(), offset/60, zone, h.Public.String()
	return s
}

// SendPerson sends a page on people.
func (h *Host) SendPerson(c echo.Context, site ui.Site, status int, page ui.Page) error {
	var b strings.Builder
	if err := page.Body.Render(templ.ClearChildren(c.Request().Context()), &b); err != nil {
		return err
	}
	return h.SendPage(c, site, status, page.Title, []byte(b.String()))
}

// RetryForm keeps a form that could not be taken up because the server is in trouble: the page that says so
// sends it once more, so that nothing that was typed is lost. It stands behind SameOrigin, because no page
// elsewhere may lay words into such a form.
func (h *Host) RetryForm(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		err := next(c)
		if err == nil || c.Response().Committed || web.AsJSON(c) {
			return err
		}
		p := httperr.Of(err)
		if p.Retry == 0 || p.Status != http.StatusServiceUnavailable && p.Status != http.StatusInsufficientStorage {
			return err
		}
		if r := c.Request(); r.PostForm == nil && web.ReadFormOf(c, web.MostReply) != nil {
			return err
		}
		c.Set(web.FaultKey, p.ForOperator())
		c.Response().Header().Set("Retry-After", strconv.Itoa(p.Retry))
		ctx := c.Request().Context()
		var b strings.Builder
		b.WriteString(`<form class="page page-alone page-narrow" method="post" action="` + html.EscapeString(c.Request().URL.RequestURI()) + `">`)
		for _, f := range web.HiddenFields(c.Request().PostForm) {
			b.WriteString(`<input type="hidden" name="` + html.EscapeString(f.Key) + `" value="` + html.EscapeString(f.Held) + `">`)
		}
		b.WriteString(`<button class="button">` + html.EscapeString(i18n.Say(ctx, "Send again")) + `</button></form>`)
		return h.Server.Send(c, p.Status, web.TitleOf(ctx, p), append(web.HTMLOf(ctx, p), b.String()...))
	}
}

// KeepsCookies refuses a form that signs somebody in when the browser keeps no cookies, before a link or a code is used up.
// The form's page sets a cookie like the session's; the form must come back with it, or with a session.
func (h *Host) KeepsCookies(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		name := h.Auth.Cookie + "-kept"
		kept := len(c.Request().CookiesNamed(name)) > 0 || len(c.Request().CookiesNamed(h.Auth.Cookie)) > 0
		switch {
		case kept:
		case c.Request().Method == http.MethodPost && web.FormValue(c, "cookie") == "asked":
			return &httperr.Problem{Status: http.StatusBadRequest, Code: "no_cookie", Title: "Your browser didn't accept a cookie, so you weren't signed in",
				Hint: "Allow cookies for this server, go back, reload the page and send the form again. Nothing was changed, and a one-time link still works."}
		case c.Request().Method == http.MethodGet:
			c.SetCookie(&http.Cookie{Name: name, Value: "1", Path: "/", HttpOnly: true, Secure: web.OverTLS(h.Public), SameSite: http.SameSiteLaxMode})
		}
		return next(c)
	}
}
