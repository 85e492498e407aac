package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

// tokenRoutes are the page of one's tokens. Making one takes a fresh proof of who one is, because
// it acts for its person from then on; taking one away is made easy.
func (h *host) tokenRoutes(mine *routing) {
	mine.GET("/settings/tokens", h.showTokens)
	mine.POST("/settings/tokens", h.makeToken, h.proves(people.MakeToken))
	mine.POST("/settings/tokens/revoke", h.revokeToken)
}

// showTokens shows the person's tokens, never what makes them good.
func (h *host) showTokens(c echo.Context) error {
	return h.sendTokens(c, http.StatusOK, components.Tokens{Done: c.QueryParam("done")})
}

// makeToken makes a token and shows it, this once: no address leads back to it.
func (h *host) makeToken(c echo.Context) error {
	act := h.act(c)
	name, err := people.CheckName("token", typed(c, "token"))
	scope, wrong := people.CheckScope(typed(c, "scope"))
	ends, late := people.CheckTerm(typed(c, "lasts"), act.At)
	if faults := gathered(err, wrong, late); faults != nil {
		return h.sendTokens(c, http.StatusUnprocessableEntity, components.Tokens{Name: typed(c, "token"), Scope: typed(c, "scope"), Lasts: typed(c, "lasts"), Faults: faults})
	}
	secret := people.NewToken()
	t := store.Token{ID: store.NewID(), User: act.By, Name: name, Hash: store.Hash(secret), Scope: scope, Created: act.At, Expires: ends}
	if err := h.Store.AddToken(c.Request().Context(), act, t); err != nil {
		return err
	}
	return h.sendTokens(c, http.StatusOK, components.Tokens{Fresh: secret, Reads: scope == store.ScopeRead})
}

// gathered are the words of what is wrong with the fields of a form; nil when nothing is.
func gathered(errs ...error) (faults components.Faults) {
	for _, err := range errs {
		var wrong *people.Wrong
		if !errors.As(err, &wrong) {
			continue
		}
		if faults == nil {
			faults = components.Faults{}
		}
		faults[wrong.Field] = wrong.Sentence
	}
	return faults
}

// revokeToken takes a token back. One that is revoked already, or is somebody else's, is left as
// it is.
func (h *host) revokeToken(c echo.Context) error {
	act := h.act(c)
	if err := h.Store.RevokeToken(c.Request().Context(), act, act.By, typed(c, "id")); err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/settings/tokens?done=revoked")
}

// sendTokens fills in everything that m does not say.
func (h *host) sendTokens(c echo.Context, status int, m components.Tokens) error {
	ctx, now := c.Request().Context(), h.Now().UnixMicro()
	tokens, err := h.Store.ListTokens(ctx, me(c).User.ID)
	if err != nil {
		return err
	}
	for _, t := range tokens {
		m.Rows = append(m.Rows, components.TokenRow{Key: t.ID, Called: t.Name, Reads: t.Scope == store.ScopeRead, Created: t.Created, Expires: t.Expires,
			Soon: people.EndsSoon(t.Expires, now), Ended: people.Ended(t.Expires, now), Used: t.Used, Address: t.Address, Revoked: t.Revoked})
	}
	if m.Terms = people.Terms(); m.Lasts == "" {
		m.Lasts = strconv.Itoa(people.UsualTerm)
	}
	site := h.person()
	site.Script = script
	return h.sendPerson(c, site, status, components.TokensPage(ctx, site, m))
}
