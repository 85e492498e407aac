package account

import (
	"context"
	"errors"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// identitiesOf are who a person is to others that sign them in, and whom else they can link.
func (h Handlers) identitiesOf(ctx context.Context, person string) (m accountpages.Identities, err error) {
	all, err := h.Store.ListIdentities(ctx, person)
	m.Provider = h.providerName()
	for _, i := range all {
		row := accountpages.IdentityRow{Issuer: i.Issuer, Subject: i.Subject, Called: i.Issuer, Email: i.Email, Used: i.Used}
		switch header, proxy := strings.CutPrefix(i.Issuer, "header:"); {
		case proxy:
			row.Called = header
		case h.OIDC != nil && i.Issuer == h.OIDC.Provider.Issuer():
			row.Called, m.Provider = h.providerName(), ""
		}
		m.Rows = append(m.Rows, row)
	}
	return m, err
}

// UnlinkIdentity takes away one of the ways into the person's account, never the last.
func (h Handlers) UnlinkIdentity(c echo.Context) error {
	err := h.Store.RemoveIdentity(c.Request().Context(), h.Actor(c), web.SignedIn(c).User.ID, web.FormValue(c, "issuer"), web.FormValue(c, "subject"))
	switch {
	case errors.Is(err, store.ErrLastSignInMethod):
		return h.refuseSecurity(c, accountpages.Security{}, &accounts.ValidationError{Sentence: "This is your only way to sign in. Set a password or add a passkey first, then unlink it."})
	case err != nil && !errors.Is(err, store.ErrNotFound): // what is unlinked already is as it should be
		return err
	}
	return secured(c, "account-unlinked")
}
