package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
)

const tokenColumns = `id, person, name, hash, scope, created_at, expires_at, used_at, address, revoked_at`

func scanToken(r scanner, t *store.Token) error {
	return r.Scan(&t.ID, &t.User, &t.Name, &t.Hash, (*string)(&t.Scope), &t.Created, &t.Expires, &t.Used, &t.Address, &t.Revoked)
}

// AddToken implements store.Tokens.
func (s *Store) AddToken(ctx context.Context, act store.Act, t store.Token) error {
	return s.change(ctx, func(c *change) error { return c.addToken(ctx, act, t) })
}

func (c *change) addToken(ctx context.Context, act store.Act, t store.Token) error {
	if t.Scope == "" {
		t.Scope = store.ScopePush
	}
	if _, err := c.do(ctx, `INSERT INTO tokens (`+tokenColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, '', 0)`,
		t.ID, t.User, clean(t.Name), t.Hash, string(t.Scope), t.Created, t.Expires); err != nil {
		return err
	}
	return c.audit(ctx, act, "", "token.add", t.ID+" "+t.User+" "+string(t.Scope))
}

// UseToken implements store.Tokens.
func (s *Store) UseToken(ctx context.Context, hash, address string, at int64) (t store.Token, err error) {
	err = scanToken(s.row(ctx, `SELECT `+tokenColumns+` FROM tokens WHERE hash = $1 AND revoked_at = 0`, clean(hash)), &t)
	const minute = 60_000_000
	switch {
	case err != nil:
		return t, err
	case t.Expires != 0 && t.Expires <= at:
		return t, store.ErrExpired
	case at < t.Used+minute:
		return t, nil
	}
	return t, s.exec(ctx, `UPDATE tokens SET used_at = $2, address = $3 WHERE id = $1 AND used_at < $2`, t.ID, at, clean(cut(address, 100)))
}

// ListTokens implements store.Tokens.
func (s *Store) ListTokens(ctx context.Context, user string) ([]store.Token, error) {
	rows, err := s.rows(ctx, `SELECT `+tokenColumns+` FROM tokens WHERE person = $1 ORDER BY created_at DESC, id`, clean(user))
	return collect(rows, err, scanToken)
}

// RevokeToken implements store.Tokens.
func (s *Store) RevokeToken(ctx context.Context, act store.Act, user, id string) error {
	return s.change(ctx, func(c *change) error {
		if err := c.one(ctx, `UPDATE tokens SET revoked_at = $3 WHERE id = $1 AND person = $2 AND revoked_at = 0`, clean(id), clean(user), act.At); err != nil {
			return err
		}
		return c.audit(ctx, act, "", "token.revoke", id+" "+user)
	})
}
