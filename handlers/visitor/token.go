package visitor

import (
	"context"
	"net/http"
	"strings"

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
	UseToken(ctx context.Context, hash string, at int64) (store.Token, error)
	User(ctx context.Context, id string) (store.User, error)
}

// Holder is the owner of a token, whose use at that time it notes; store.ErrNotFound when the
// token is not good.
func Holder(ctx context.Context, s Tokens, secret string, at int64) (*Visitor, error) {
	t, err := s.UseToken(ctx, store.Hash(secret), at)
	if err != nil {
		return nil, err
	}
	user, err := s.User(ctx, t.User)
	if err != nil {
		return nil, err
	}
	return &Visitor{User: user, Token: t.ID}, nil
}
