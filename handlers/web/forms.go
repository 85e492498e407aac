package web

import (
	"errors"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/accounts"
)

// mostForm is how many bytes a form of ours may have.
const mostForm = 64 << 10

// ReadForm reads a form of the usual size.
func ReadForm(c echo.Context) error { return ReadFormOf(c, mostForm) }

// MostReply is how many bytes the form of a reply may have. It is far more than a reply, so that
// one that is too long can be shown again, with the words for it.
const MostReply = 4 << 20

// ReadFormOf reads a form of at most so many bytes.
func ReadFormOf(c echo.Context, most int64) error {
	r := c.Request()
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "application/x-www-form-urlencoded" && (kind != "" || r.ContentLength != 0) {
		return &httperr.Problem{Status: http.StatusUnsupportedMediaType, Title: "This URL accepts only forms", Hint: "Send it as application/x-www-form-urlencoded, as the pages do."}
	}
	r.Body = http.MaxBytesReader(c.Response(), r.Body, most)
	err := r.ParseForm()
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return &httperr.Problem{Status: http.StatusRequestEntityTooLarge, Title: "The form is too large", Hint: "Nothing was changed. A form can have at most {0} KiB; shorten your text.", Args: []any{int(most >> 10)}}
	case err != nil:
		return &httperr.Problem{Status: http.StatusBadRequest, Title: "The form arrived incomplete", Hint: "Nothing was changed. Go back and send it again.", Cause: err}
	}
	return nil
}

// FormValue is a field of the form that was sent, never of the address.
func FormValue(c echo.Context, field string) string { return c.Request().PostForm.Get(field) }

// FaultsOf are the words for a form that was not taken, and its status. It returns an error that
// is not the form's as it is.
func FaultsOf(err error) (ui.Faults, int, error) {
	var wrong *accounts.ValidationError
	var wrongs accounts.ValidationErrors
	var wait *accounts.RateLimitError
	switch {
	case errors.As(err, &wrong):
		status := http.StatusUnprocessableEntity
		if errors.Is(err, accounts.ErrAdminsOnly) || errors.Is(err, accounts.ErrOwnersOnly) {
			status = http.StatusForbidden
		}
		return ui.Faults{wrong.Field: {Sentence: wrong.Sentence, Args: wrong.Args}}, status, nil
	case errors.As(err, &wrongs):
		faults := ui.Faults{}
		for _, w := range wrongs {
			faults[w.Field] = ui.Fault{Sentence: w.Sentence, Args: w.Args}
		}
		return faults, http.StatusUnprocessableEntity, nil
	case errors.As(err, &wait):
		return ui.Faults{"": {Sentence: "Too many attempts. Wait {0}, then try again.", Args: []any{wait.Wait()}}}, http.StatusTooManyRequests, nil
	}
	return nil, 0, err
}

// LocalPath is where a form may lead on to: an address of this server and of no other. Browsers
// read a backslash as a slash, drop line feeds and tabs, and take // for another host.
func LocalPath(next string) string {
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

// RetryAfter adds when to try again, if that is what is wrong.
func RetryAfter(c echo.Context, err error) {
	var w *accounts.RateLimitError
	if errors.As(err, &w) {
		c.Response().Header().Set("Retry-After", strconv.Itoa(w.Seconds()))
	}
}

// SignedIn is who is signed in. Routes that call it stand behind the SignedIn of a host.
func SignedIn(c echo.Context) *auth.Visitor { return auth.Of(c) }

// AsJSON reports whether a script has sent the form, which wants no page.
func AsJSON(c echo.Context) bool { return c.Request().Header.Get("Accept") == "application/json" }

// ConfirmField begins the names of the fields that prove who somebody is; no other form has such.
const ConfirmField = "confirm_"

// HiddenFields are the fields of a form that is kept, without a proof in it.
func HiddenFields(form url.Values) (kept []accountpages.HiddenField) {
	for name, values := range form {
		if strings.HasPrefix(name, ConfirmField) {
			continue
		}
		for _, value := range values {
			kept = append(kept, accountpages.HiddenField{Key: name, Held: value})
		}
	}
	slices.SortStableFunc(kept, func(a, b accountpages.HiddenField) int { return strings.Compare(a.Key, b.Key) })
	return kept
}
