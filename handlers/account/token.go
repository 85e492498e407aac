package account

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// ShowTokens shows the person's tokens, never what makes them good.
func (h Handlers) ShowTokens(c echo.Context) error {
	return h.sendTokens(c, http.StatusOK, accountpages.Tokens{Done: c.QueryParam("notice")})
}

// MakeToken makes a token and shows it, this once: no address leads back to it.
func (h Handlers) MakeToken(c echo.Context) error {
	act := h.Actor(c)
	name, err := accounts.CheckName("token", web.FormValue(c, "token"))
	scope, wrong := accounts.CheckScope(web.FormValue(c, "scope"))
	ends, late := accounts.CheckTerm(web.FormValue(c, "lasts"), act.At)
	if faults := gathered(err, wrong, late); faults != nil {
		return h.sendTokens(c, http.StatusUnprocessableEntity, accountpages.Tokens{Name: web.FormValue(c, "token"), Scope: web.FormValue(c, "scope"), Lasts: web.FormValue(c, "lasts"), Faults: faults})
	}
	secret := accounts.NewToken()
	t := store.Token{ID: store.NewID(), User: act.By, Name: name, Hash: store.Hash(secret), Scope: scope, Created: act.At, Expires: ends}
	if err := h.Store.AddToken(c.Request().Context(), act, t); err != nil {
		return err
	}
	return h.sendTokens(c, http.StatusOK, accountpages.Tokens{Fresh: secret, Reads: scope == store.ScopeRead})
}

// gathered are the words of what is wrong with the fields of a form; nil when nothing is.
func gathered(errs ...error) (faults ui.Faults) {
	for _, err := range errs {
		var wrong *accounts.ValidationError
		if !errors.As(err, &wrong) {
			continue
		}
		if faults == nil {
			faults = ui.Faults{}
		}
		faults[wrong.Field] = ui.Fault{Sentence: wrong.Sentence, Args: wrong.Args}
	}
	return faults
}

// RevokeToken takes a token back. One that is revoked already, or is somebody else's, is left as
// it is.
func (h Handlers) RevokeToken(c echo.Context) error {
	act := h.Actor(c)
	if err := h.Store.RevokeToken(c.Request().Context(), act, act.By, web.FormValue(c, "id")); err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/settings/tokens?notice=token-revoked")
}

// sendTokens fills in everything that m does not say.
func (h Handlers) sendTokens(c echo.Context, status int, m accountpages.Tokens) error {
	ctx, now := c.Request().Context(), h.Now().UnixMicro()
	tokens, err := h.Store.ListTokens(ctx, web.SignedIn(c).User.ID)
	if err != nil {
		return err
	}
	for _, t := range tokens {
		m.Rows = append(m.Rows, accountpages.TokenRow{Key: t.ID, Called: t.Name, Reads: t.Scope == store.ScopeRead, Created: t.Created, Expires: t.Expires,
			Soon: accounts.ExpiresSoon(t.Expires, now), Ended: accounts.IsExpired(t.Expires, now), Used: t.Used, Address: t.Address, Revoked: t.Revoked})
	}
	if m.List, err = h.ListRequest(c, "tokens"); err != nil {
		return err
	}
	m.List.Here = "/settings/tokens"
	if sent, err := hosted.SendListFile(c, m.List, accountpages.TokenList(ctx), m.Rows); sent || err != nil {
		return err
	}
	if m.Terms = accounts.TokenTerms(); m.Lasts == "" {
		m.Lasts = strconv.Itoa(accounts.DefaultTokenDays)
	}
	site := h.Person()
	site.Script = web.Script
	return h.SendPerson(c, site, status, accountpages.TokensPage(ctx, site, m))
}
