package hosted

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/passkey"
)

// errUnproved says that nothing was given that could prove anything.
var errUnproved = errors.New("handlers: nothing proves who this is")

// stepUp lets those pass who have proved lately who they are. To everybody else it shows a page
// that asks for a proof; a form that was sent is kept in it, and goes on with the proof to where
// it was sent. It stands behind SignedIn.
func (h *Host) stepUp(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		v, r := auth.Of(c), c.Request()
		if v == nil || v.Session == "" {
			return errStepUp(h)
		}
		posted := r.Method == http.MethodPost
		if posted && r.PostForm == nil && !web.AsJSON(c) {
			if err := web.ReadForm(c); err != nil {
				return err
			}
		}
		if accounts.IsFresh(v.Proved, h.Now().UnixMicro()) {
			dropProof(r)
			return next(c)
		}
		if web.AsJSON(c) {
			return errStepUp(h)
		}
		err := errUnproved
		if posted {
			err = h.prove(c, v)
		}
		if err == nil {
			dropProof(r)
			return next(c)
		}
		return h.askProof(c, r.URL.RequestURI(), r.PostForm, err)
	}
}

// RequireProof is StepUp for an action of accounts.ActionsNeedingProof, which the tests go through; it panics for any other.
func (h *Host) RequireProof(a accounts.Action) echo.MiddlewareFunc {
	if !slices.Contains(accounts.ActionsNeedingProof(), a) {
		panic("handlers: no fresh proof is listed for " + string(a))
	}
	return h.stepUp
}

// errStepUp is for programs, which no page can ask.
func errStepUp(h *Host) error {
	return &httperr.Problem{Status: http.StatusForbidden, Code: "step_up_needed", Title: "Confirm who you are first; nothing was changed",
		Hint: "Open {0} in the browser, confirm who you are, and send this again within 10 minutes.", Args: []any{h.Public.String() + "/confirm"}}
}

// prove holds what was sent against what the person has, and notes in the session that they have
// proved who they are.
func (h *Host) prove(c echo.Context, v *auth.Visitor) error {
	if by := web.FormValue(c, "confirm_person"); by != "" && by != v.User.ID {
		return &accounts.ValidationError{Sentence: "A different person is signed in than when this page was loaded. Continue only if the form is yours."}
	}
	if err := h.checkProof(c, v); err != nil {
		return err
	}
	now := h.Now().UnixMicro()
	if err := h.Store.MarkProved(c.Request().Context(), v.Session, now); err != nil {
		return err
	}
	v.Proved = now
	return nil
}

// checkProof says what is wrong with a proof; nil when nothing is.
func (h *Host) checkProof(c echo.Context, v *auth.Visitor) error {
	if answer := web.FormValue(c, "confirm_passkey"); answer != "" {
		return h.confirmKey(c, v, answer)
	}
	password := web.FormValue(c, "confirm_password")
	if password == "" {
		return errUnproved
	}
	err := accounts.CheckOwnPassword(c.Request().Context(), h.Store, v.User, password, h.Now().UnixMicro())
	web.GuessedIf(c, "password", err)
	if errors.Is(err, accounts.ErrNoMatch) {
		return &accounts.ValidationError{Field: "confirm_password", Sentence: "That isn't your current password."}
	}
	return err
}

// askProof shows the page that asks for a proof. What is wrong with the one that was given stands
// on it, and in its form everything else that was sent to the address it goes to.
func (h *Host) askProof(c echo.Context, to string, sent url.Values, why error) error {
	u := web.SignedIn(c).User
	m := accountpages.Confirm{Goes: to, Key: u.ID, Email: u.Email, Password: u.Password != ""}
	status := http.StatusForbidden
	if !errors.Is(why, errUnproved) {
		web.RetryAfter(c, why)
		var err error
		if m.Faults, status, err = web.FaultsOf(why); err != nil {
			return err
		}
	}
	if c.Request().Method != http.MethodPost { // a page: the form leads back to it
		m.Goes, sent = "/confirm", url.Values{"next": {to}}
	}
	m.Fields = web.HiddenFields(sent)
	var err error
	if m.Passkey, err = h.hasKeys(c.Request().Context(), u.ID); err != nil {
		return err
	}
	if !m.Password && !m.Passkey {
		m.Again = "/sign-in?" + url.Values{"again": {"1"}, "next": {"/settings/signing-in"}}.Encode()
		if h.OIDC != nil {
			m.Again = "/sign-in/oidc/again?" + url.Values{"next": {"/settings/signing-in"}}.Encode()
		}
	}
	site := h.Person()
	site.Script = web.Script
	AllowKeys(c)
	return h.SendPerson(c, site, status, accountpages.ConfirmPage(c.Request().Context(), m))
}

// dropProof takes a proof out of the form that its handler reads.
func dropProof(r *http.Request) {
	for name := range r.PostForm {
		if strings.HasPrefix(name, web.ConfirmField) {
			delete(r.PostForm, name)
			delete(r.Form, name)
		}
	}
}

// ShowConfirm asks for a proof ahead of what takes one.
func (h *Host) ShowConfirm(c echo.Context) error {
	next := web.LocalPath(c.QueryParam("next"))
	if accounts.IsFresh(web.SignedIn(c).Proved, h.Now().UnixMicro()) {
		return Redirect(c, next)
	}
	return h.askProof(c, next, nil, errUnproved)
}

// Confirm takes a proof and leads on to the page that asked for it.
func (h *Host) Confirm(c echo.Context) error {
	next := web.LocalPath(web.FormValue(c, "next"))
	if accounts.IsFresh(web.SignedIn(c).Proved, h.Now().UnixMicro()) {
		return Redirect(c, next)
	}
	if err := h.prove(c, web.SignedIn(c)); err != nil {
		return h.askProof(c, "/confirm", url.Values{"next": {next}}, err)
	}
	return Redirect(c, next)
}

// KeyFeatures leaves a page that makes and asks for passkeys what that takes.
var KeyFeatures = strings.NewReplacer("publickey-credentials-create=()", "publickey-credentials-create=(self)",
	"publickey-credentials-get=()", "publickey-credentials-get=(self)").Replace(web.AppFeatures)

// AllowKeys lets the page of this answer make and ask for passkeys.
func AllowKeys(c echo.Context) { c.Response().Header().Set("Permissions-Policy", KeyFeatures) }

// KeyFault says why a passkey was not taken. is is false for an error that is no passkey's.
func KeyFault(err error) (said string, is bool) {
	var copied *passkey.ClonedKeyError
	switch {
	case errors.As(err, &copied):
		return "This passkey was rejected: its counter went backwards, which can mean that someone has copied it. Sign in another way, remove it under Sign-in, and add a new one.", true
	case errors.Is(err, passkey.ErrLate):
		return "That took longer than 5 minutes, or was sent twice. Try again.", true
	case errors.Is(err, passkey.ErrRefused), errors.Is(err, accounts.ErrNoMatch):
		return "This server doesn't know this passkey. Try another one, or sign in another way.", true
	}
	return "", false
}

// confirmKey holds the answer of a passkey against those of who is signed in.
func (h *Host) confirmKey(c echo.Context, v *auth.Visitor, answer string) error {
	if h.Passkeys == nil {
		return errUnproved
	}
	err := h.Passkeys.Confirm(c.Request().Context(), v.User, v.Session, []byte(answer), h.Now().UnixMicro())
	if said, is := KeyFault(err); is {
		auth.Guessed(c, "passkey", false)
		return &accounts.ValidationError{Sentence: said}
	}
	return err
}

// hasKeys reports whether a person can prove with a passkey here who they are.
func (h *Host) hasKeys(ctx context.Context, person string) (bool, error) {
	if h.Passkeys == nil {
		return false, nil
	}
	all, err := h.Store.ListPasskeys(ctx, person)
	return len(all) > 0, err
}
