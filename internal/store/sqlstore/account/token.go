package account

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const tokenColumns = `id, person, name, hash, scope, created_at, expires_at, used_at, address, revoked_at`

func scanToken(r sqldb.Scanner, t *store.Token) error {
	return r.Scan(&t.ID, &t.User, &t.Name, &t.Hash, (*string)(&t.Scope), &t.Created, &t.Expires, &t.Used, &t.Address, &t.Revoked)
}

// AddToken implements store.Tokens.
func (a Accounts) AddToken(ctx context.Context, act store.Act, t store.Token) error {
	return a.Update(ctx, func(c *sqldb.Tx) error { return addToken(ctx, c, act, t) })
}

func addToken(ctx context.Context, c *sqldb.Tx, act store.Act, t store.Token) error {
	if t.Scope == "" {
		t.Scope = store.ScopePush
	}
	if _, err := c.Exec(ctx, `INSERT INTO tokens (`+tokenColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, '', 0)`,
		t.ID, t.User, sqldb.CleanText(t.Name), t.Hash, string(t.Scope), t.Created, t.Expires); err != nil {
		return err
	}
	return c.Audit(ctx, act, "", "token.add", t.ID+" "+t.User+" "+string(t.Scope))
}

// UseToken implements store.Tokens.
func (a Accounts) UseToken(ctx context.Context, hash, address string, at int64) (t store.Token, err error) {
	err = scanToken(a.Row(ctx, `SELECT `+tokenColumns+` FROM tokens WHERE hash = $1 AND revoked_at = 0`, sqldb.CleanText(hash)), &t)
	const minute = 60_000_000
	switch {
	case err != nil:
		return t, err
	case t.Expires != 0 && t.Expires <= at:
		return t, store.ErrExpired
	case at < t.Used+minute:
		return t, nil
	}
	return t, a.Exec(ctx, `UPDATE tokens SET used_at = $2, address = $3 WHERE id = $1 AND used_at < $2`, t.ID, at, sqldb.CleanText(sqldb.CutText(address, 100)))
}

// ListTokens implements store.Tokens.
func (a Accounts) ListTokens(ctx context.Context, user string) ([]store.Token, error) {
	rows, err := a.Rows(ctx, `SELECT `+tokenColumns+` FROM tokens WHERE person = $1 ORDER BY created_at DESC, id`, sqldb.CleanText(user))
	return sqldb.Collect(rows, err, scanToken)
}

// RevokeToken implements store.Tokens.
func (a Accounts) RevokeToken(ctx context.Context, act store.Act, user, id string) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := c.ExecOne(ctx, `UPDATE tokens SET revoked_at = $3 WHERE id = $1 AND person = $2 AND revoked_at = 0`, sqldb.CleanText(id), sqldb.CleanText(user), act.At); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "token.revoke", id+" "+user)
	})
}
