package handlers

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

// showRecovery shows where one signs in with a code from paper.
func (h *host) showRecovery(c echo.Context) error {
	return h.sendRecovery(c, http.StatusOK, components.Recovery{Next: localPath(c.QueryParam("next"))})
}

func (h *host) sendRecovery(c echo.Context, status int, m components.Recovery) error {
	return h.sendPerson(c, h.person(), status, components.RecoveryPage(c.Request().Context(), m))
}

// recover begins a session of whoever has one of a person's codes, and uses the code up. It leads
// to where the person sees how many are left, and what else lets them in.
func (h *host) recover(c echo.Context) error {
	ctx, email := c.Request().Context(), typed(c, "email")
	from, err := h.from(c)
	if err != nil {
		return err
	}
	user, err := people.Recover(ctx, h.Store, email, typed(c, "code"), from, h.Now().UnixMicro())
	if err == nil {
		err = h.beginAs(c, user, store.ByRecovery)
	}
	if err == nil {
		return secured(c, "recovered")
	}
	guessedIf(c, "recovery", err)
	faults, status := components.Faults{"": "The e-mail address and the code do not belong together, or the code was used before. Each code works once."}, http.StatusUnauthorized
	if !errors.Is(err, people.ErrNoMatch) {
		wait(c, err)
		if faults, status, err = faultsOf(err); err != nil {
			return err
		}
	}
	return h.sendRecovery(c, status, components.Recovery{Email: email, Next: localPath(typed(c, "next")), Faults: faults})
}

// makeRecovery makes codes in place of all that there were, and shows them, this once: no address
// leads back to them.
func (h *host) makeRecovery(c echo.Context) error {
	codes, err := people.MakeRecoveryCodes(c.Request().Context(), h.Store, h.act(c), me(c).User.ID)
	if err != nil {
		return err
	}
	site := h.person()
	site.Script = script
	return h.sendPerson(c, site, http.StatusOK, components.RecoveryCodesPage(c.Request().Context(), site, components.RecoveryCodes{Codes: codes, Email: me(c).User.Email, Host: h.Public.Host}))
}
