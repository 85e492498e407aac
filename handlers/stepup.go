package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/fault"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/people"
)

// confirmField begins the names of the fields that prove who somebody is; no other form has such.
const confirmField = "confirm_"

// errUnproved says that nothing was given that could prove anything.
var errUnproved = errors.New("handlers: nothing proves who this is")

// stepUp lets those pass who have proved lately who they are. To everybody else it shows a page
// that asks for a proof; a form that was sent is kept in it, and goes on with the proof to where
// it was sent. It stands behind signedIn.
func (h *host) stepUp(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		v, r := visitor.Of(c), c.Request()
		if v == nil || v.Session == "" {
			return errStepUp(h)
		}
		posted := r.Method == http.MethodPost
		if posted && r.PostForm == nil && !asJSON(c) {
			if err := readForm(c); err != nil {
				return err
			}
		}
		if people.IsFresh(v.Proved, h.Now().UnixMicro()) {
			dropProof(r)
			return next(c)
		}
		if asJSON(c) {
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

// proves is stepUp for an action of people.NeedProof, which the tests go through; it panics for any other.
func (h *host) proves(a people.Action) echo.MiddlewareFunc {
	if !slices.Contains(people.NeedProof(), a) {
		panic("handlers: no fresh proof is listed for " + string(a))
	}
	return h.stepUp
}

// errStepUp is for programs, which no page can ask.
func errStepUp(h *host) error {
	return &fault.Problem{Status: http.StatusForbidden, Code: "step_up_needed", Title: "This takes a fresh proof of who you are, so nothing was changed",
		Hint: "Open " + h.Public.String() + "/confirm in the browser, say that it is you, and send this again within ten minutes."}
}

// prove holds what was sent against what the person has, and notes in the session that they have
// proved who they are.
func (h *host) prove(c echo.Context, v *visitor.Visitor) error {
	if by := typed(c, "confirm_person"); by != "" && by != v.User.ID {
		return &people.Wrong{Sentence: "A different person is signed in than when this page was loaded. Go on only if the form is yours."}
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
func (h *host) checkProof(c echo.Context, v *visitor.Visitor) error {
	if answer := typed(c, "confirm_passkey"); answer != "" {
		return h.confirmKey(c, v, answer)
	}
	password := typed(c, "confirm_password")
	if password == "" {
		return errUnproved
	}
	err := people.CheckOwn(c.Request().Context(), h.Store, v.User, password, h.Now().UnixMicro())
	guessedIf(c, "password", err)
	if errors.Is(err, people.ErrNoMatch) {
		return &people.Wrong{Field: "confirm_password", Sentence: "This is not the password that you have."}
	}
	return err
}

// askProof shows the page that asks for a proof. What is wrong with the one that was given stands
// on it, and in its form everything else that was sent to the address it goes to.
func (h *host) askProof(c echo.Context, to string, sent url.Values, why error) error {
	u := me(c).User
	m := components.Confirm{Goes: to, Key: u.ID, Email: u.Email, Password: u.Password != ""}
	status := http.StatusForbidden
	if !errors.Is(why, errUnproved) {
		wait(c, why)
		var err error
		if m.Faults, status, err = faultsOf(why); err != nil {
			return err
		}
	}
	if c.Request().Method != http.MethodPost { // a page: the form leads back to it
		m.Goes, sent = "/confirm", url.Values{"next": {to}}
	}
	m.Fields = hiddenFields(sent)
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
	site := h.person()
	site.Script = script
	allowKeys(c)
	return h.sendPerson(c, site, status, components.ConfirmPage(c.Request().Context(), m))
}

// hiddenFields are the fields of a form that is kept, without a proof in it.
func hiddenFields(form url.Values) (kept []components.HiddenField) {
	for name, values := range form {
		if strings.HasPrefix(name, confirmField) {
			continue
		}
		for _, value := range values {
			kept = append(kept, components.HiddenField{Key: name, Held: value})
		}
	}
	slices.SortStableFunc(kept, func(a, b components.HiddenField) int { return strings.Compare(a.Key, b.Key) })
	return kept
}

// dropProof takes a proof out of the form that its handler reads.
func dropProof(r *http.Request) {
	for name := range r.PostForm {
		if strings.HasPrefix(name, confirmField) {
			delete(r.PostForm, name)
			delete(r.Form, name)
		}
	}
}

// showConfirm asks for a proof ahead of what takes one.
func (h *host) showConfirm(c echo.Context) error {
	next := localPath(c.QueryParam("next"))
	if people.IsFresh(me(c).Proved, h.Now().UnixMicro()) {
		return goOn(c, next)
	}
	return h.askProof(c, next, nil, errUnproved)
}

// confirm takes a proof and leads on to the page that asked for it.
func (h *host) confirm(c echo.Context) error {
	next := localPath(typed(c, "next"))
	if people.IsFresh(me(c).Proved, h.Now().UnixMicro()) {
		return goOn(c, next)
	}
	if err := h.prove(c, me(c)); err != nil {
		return h.askProof(c, "/confirm", url.Values{"next": {next}}, err)
	}
	return goOn(c, next)
}
