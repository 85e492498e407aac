package handlers

import (
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/fault"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/people"
)

// mostForm is how many bytes a form of ours may have.
const mostForm = 64 << 10

// forms lets a browser change something only by a form of this server: a page elsewhere may send
// one here too, and the browser would add the session to it. The form is read before its handler
// runs, so that a broken one reaches none.
func (h *host) forms(next echo.HandlerFunc) echo.HandlerFunc {
	guard := http.NewCrossOriginProtection()
	trusted := guard.AddTrustedOrigin(h.Public.String())
	return func(c echo.Context) error {
		if trusted != nil {
			return trusted
		}
		r := c.Request()
		if err := guard.Check(r); err != nil {
			return &fault.Problem{Status: http.StatusForbidden, Code: "other_origin", Title: "This form was sent from another page",
				Hint: "Nothing was changed. If you meant to, open " + h.Public.String() + " and do it there.", Cause: err}
		}
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			return next(c)
		}
		if err := readForm(c); err != nil {
			return err
		}
		return next(c)
	}
}

func readForm(c echo.Context) error { return readFormOf(c, mostForm) }

// mostReply is how many bytes the form of a reply may have. It is far more than a reply, so that
// one that is too long can be shown again, with the words for it.
const mostReply = 4 << 20

// readFormOf reads a form of at most so many bytes.
func readFormOf(c echo.Context, most int64) error {
	r := c.Request()
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "application/x-www-form-urlencoded" && (kind != "" || r.ContentLength != 0) {
		return &fault.Problem{Status: http.StatusUnsupportedMediaType, Title: "This address takes a form", Hint: "Send it as application/x-www-form-urlencoded, as the pages here do."}
	}
	r.Body = http.MaxBytesReader(c.Response(), r.Body, most)
	err := r.ParseForm()
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return &fault.Problem{Status: http.StatusRequestEntityTooLarge, Title: "That is more than a form here may hold", Hint: "Nothing was changed. A form takes at most " + itoa(int(most>>10)) + " KiB; shorten what you typed."}
	case err != nil:
		return &fault.Problem{Status: http.StatusBadRequest, Title: "The form did not arrive whole", Hint: "Nothing was changed. Go back and send it again.", Cause: err}
	}
	return nil
}

// typed is a field of the form that was sent, never of the address.
func typed(c echo.Context, field string) string { return c.Request().PostForm.Get(field) }

// person is a page's site outside of workspaces.
func (h *host) person() components.Site {
	s := h.server.site()
	now := h.Now()
	zone, offset := now.Zone()
	s.Now, s.Zone, s.ZoneName, s.Public = now.UnixMicro(), offset/60, zone, h.Public.String()
	return s
}

// sendPerson sends a page on people.
func (h *host) sendPerson(c echo.Context, site components.Site, status int, page components.Page) error {
	var b strings.Builder
	if err := page.Body.Render(templ.ClearChildren(c.Request().Context()), &b); err != nil {
		return err
	}
	return h.sendPage(c, site, status, page.Title, []byte(b.String()))
}

// faultsOf are the words for a form that was not taken, and its status. It returns an error that
// is not the form's as it is.
func faultsOf(err error) (components.Faults, int, error) {
	var wrong *people.Wrong
	var wrongs people.Wrongs
	var wait *people.Wait
	switch {
	case errors.As(err, &wrong):
		status := http.StatusUnprocessableEntity
		if errors.Is(err, people.ErrAdminsOnly) || errors.Is(err, people.ErrOwnersOnly) {
			status = http.StatusForbidden
		}
		return components.Faults{wrong.Field: wrong.Sentence}, status, nil
	case errors.As(err, &wrongs):
		faults := components.Faults{}
		for _, w := range wrongs {
			faults[w.Field] = w.Sentence
		}
		return faults, http.StatusUnprocessableEntity, nil
	case errors.As(err, &wait):
		return components.TriedTooOften("That was tried too often. Wait "+wait.Length()+", then try again.", wait.Seconds()), http.StatusTooManyRequests, nil
	}
	return nil, 0, err
}

// localPath is where a form may lead on to: an address of this server and of no other. Browsers
// read a backslash as a slash, drop line feeds and tabs, and take // for another host.
func localPath(next string) string {
	if len(next) > 2000 || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.ContainsFunc(next, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }) {
		return ""
	}
	u, err := url.Parse(next)
	if err != nil || u.Host != "" || u.Scheme != "" || u.User != nil || strings.HasPrefix(u.Path, "//") {
		return ""
	}
	switch u.Path {
	case "/sign-in", "/sign-out", "/setup", "/confirm", "/reset":
		return ""
	}
	return next
}

// wait adds when to try again, if that is what is wrong.
func wait(c echo.Context, err error) {
	var w *people.Wait
	if errors.As(err, &w) {
		c.Response().Header().Set("Retry-After", itoa(w.Seconds()))
	}
}

// me is who is signed in. Routes that call it stand behind signedIn.
func me(c echo.Context) *visitor.Visitor { return visitor.Of(c) }
