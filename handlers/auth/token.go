package auth

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// Secret is the token that a call brings: in its Authorization, else in the header of older
// clients. It is "" for a call that brings none.
func Secret(h http.Header) string {
	scheme, secret, _ := strings.Cut(strings.TrimSpace(h.Get("Authorization")), " ")
	if secret = strings.TrimSpace(secret); secret != "" && strings.EqualFold(scheme, "Bearer") {
		return secret
	}
	return strings.TrimSpace(h.Get("X-Figs-Token"))
}

// Tokens is what must be known of tokens and their owners.
type Tokens interface {
	UseToken(ctx context.Context, hash, address string, at int64) (store.Token, error)
	User(ctx context.Context, id string) (store.User, error)
	store.RateLimits
}

// Bearer is Holder for a call. It counts what is no token by where it comes from, and returns
// *accounts.RateLimitError in place of store.ErrNotFound for too many. A token that is good passes whatever
// else came from its address: all behind one gateway share that.
func Bearer(c echo.Context, s Tokens, secret string, at int64) (*Visitor, error) {
	ctx, from := c.Request().Context(), c.RealIP()
	v, err := Holder(ctx, s, secret, from, at)
	if !errors.Is(err, store.ErrNotFound) {
		return v, err
	}
	tried := accounts.LimitToken(ctx, s, from, at)
	var wait *accounts.RateLimitError
	Guessed(c, "token", errors.As(tried, &wait))
	if tried != nil {
		return nil, tried
	}
	return nil, err
}

// TooManyTokens answers who sent too many tokens that are none.
func TooManyTokens(w *accounts.RateLimitError) *httperr.Problem {
	return &httperr.Problem{Status: http.StatusTooManyRequests, Code: "tokens_too_often", Title: "Too many unknown tokens came from this IP address", Retry: w.Seconds(),
		Hint: "Wait {0}, then try again. Valid tokens keep working.", Args: []any{w.Wait()}}
}

// MayWrite says why who asks may change nothing, with the way to do so; nil when they may.
func (v *Visitor) MayWrite(way string) error {
	if v == nil || v.Token == "" || v.Scope != store.ScopeRead {
		return nil
	}
	return &httperr.Problem{Status: http.StatusForbidden, Code: "token_reads_only", Title: "This token is read-only, so nothing was changed", Hint: way}
}

// Holder is the owner of a token, whose use at that time and from that address it notes;
// store.ErrNotFound when the token is not good, store.ErrExpired when it no longer is.
func Holder(ctx context.Context, s Tokens, secret, address string, at int64) (*Visitor, error) {
	t, err := s.UseToken(ctx, store.Hash(secret), address, at)
	if err != nil {
		return nil, err
	}
	user, err := s.User(ctx, t.User)
	if err != nil {
		return nil, err
	}
	return &Visitor{User: user, Token: t.ID, Scope: t.Scope}, nil
}
