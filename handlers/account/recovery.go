package account

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// ShowRecovery shows where one signs in with a code from paper.
func (h Handlers) ShowRecovery(c echo.Context) error {
	return h.sendRecovery(c, http.StatusOK, accountpages.Recovery{Next: web.LocalPath(c.QueryParam("next"))})
}

func (h Handlers) sendRecovery(c echo.Context, status int, m accountpages.Recovery) error {
	return h.SendPerson(c, h.Person(), status, accountpages.RecoveryPage(c.Request().Context(), m))
}

// Recover signs in whoever enters a recovery code, and uses the code up. It goes on to the page that says how many codes
// are left and how else the person can sign in.
func (h Handlers) Recover(c echo.Context) error {
	ctx, email := c.Request().Context(), web.FormValue(c, "email")
	from, err := h.from(c)
	if err != nil {
		return err
	}
	user, err := accounts.Recover(ctx, h.Store, email, web.FormValue(c, "code"), from, h.Now().UnixMicro())
	if err == nil {
		err = h.beginAs(c, user, store.MethodRecovery)
	}
	if err == nil {
		return secured(c, "recovery-code-used")
	}
	web.GuessedIf(c, "recovery", err)
	faults, status := ui.Faults{"": {Sentence: "The email address and the code don't match, or the code has already been used. Each code works once."}}, http.StatusUnauthorized
	if !errors.Is(err, accounts.ErrNoMatch) {
		web.RetryAfter(c, err)
		if faults, status, err = web.FaultsOf(err); err != nil {
			return err
		}
	}
	return h.sendRecovery(c, status, accountpages.Recovery{Email: email, Next: web.LocalPath(web.FormValue(c, "next")), Faults: faults})
}

// MakeRecovery makes codes in place of all that there were, and shows them, this once: no address
// leads back to them.
func (h Handlers) MakeRecovery(c echo.Context) error {
	codes, err := accounts.MakeRecoveryCodes(c.Request().Context(), h.Store, h.Actor(c), web.SignedIn(c).User.ID)
	if err != nil {
		return err
	}
	site := h.Person()
	site.Script = web.Script
	return h.SendPerson(c, site, http.StatusOK, accountpages.RecoveryCodesPage(c.Request().Context(), site, accountpages.RecoveryCodes{Codes: codes, Email: web.SignedIn(c).User.Email, Host: h.Public.Host}))
}
