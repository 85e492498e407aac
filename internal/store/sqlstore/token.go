package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
)

const tokenColumns = `id, person, name, hash, created_at, used_at, revoked_at`

func scanToken(r scanner, t *store.Token) error {
	return r.Scan(&t.ID, &t.User, &t.Name, &t.Hash, &t.Created, &t.Used, &t.Revoked)
}

// AddToken implements store.Tokens.
func (s *Store) AddToken(ctx context.Context, act store.Act, t store.Token) error {
	return s.change(ctx, func(c *change) error { return c.addToken(ctx, act, t) })
}

func (c *change) addToken(ctx context.Context, act store.Act, t store.Token) error {
	if _, err := c.do(ctx, `INSERT INTO tokens (`+tokenColumns+`) VALUES ($1, $2, $3, $4, $5, 0, 0)`,
		t.ID, t.User, clean(t.Name), t.Hash, t.Created); err != nil {
		return err
	}
	return c.audit(ctx, act, "", "token.add", t.ID+" "+t.User)
}

// UseToken implements store.Tokens.
func (s *Store) UseToken(ctx context.Context, hash string, at int64) (t store.Token, err error) {
	err = scanToken(s.row(ctx, `SELECT `+tokenColumns+` FROM tokens WHERE hash = $1 AND revoked_at = 0`, clean(hash)), &t)
	const minute = 60_000_000
	if err != nil || at < t.Used+minute {
		return t, err
	}
	_, err = s.write.ExecContext(ctx, `UPDATE tokens SET used_at = $2 WHERE id = $1 AND used_at < $2`, t.ID, at)
	return t, err
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
