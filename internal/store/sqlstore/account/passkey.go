package account

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const passkeyColumns = `id, person, name, credential, created_at, used_at`

func scanPasskey(r sqldb.Scanner, p *store.Passkey) error {
	return r.Scan(&p.ID, &p.Person, &p.Name, &p.Credential, &p.Created, &p.Used)
}

// AddPasskey implements store.Passkeys.
func (a Accounts) AddPasskey(ctx context.Context, act store.Act, p store.Passkey) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		_, err := c.Exec(ctx, `INSERT INTO passkeys (`+passkeyColumns+`) VALUES ($1, $2, $3, $4, $5, 0)`,
			sqldb.CleanText(p.ID), sqldb.CleanText(p.Person), sqldb.CleanText(p.Name), sqldb.CleanText(p.Credential), p.Created)
		if c.DB.IsUniqueViolation(err) {
			return &store.TakenError{What: "passkey", Name: p.Name}
		}
		if err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "passkey.add", p.Person+" "+sqldb.CleanText(p.Name))
	})
}

// Passkey implements store.Passkeys.
func (a Accounts) Passkey(ctx context.Context, id string) (p store.Passkey, err error) {
	return p, scanPasskey(a.Row(ctx, `SELECT `+passkeyColumns+` FROM passkeys WHERE id = $1`, sqldb.CleanText(id)), &p)
}

// ListPasskeys implements store.Passkeys.
func (a Accounts) ListPasskeys(ctx context.Context, person string) ([]store.Passkey, error) {
	rows, err := a.Rows(ctx, `SELECT `+passkeyColumns+` FROM passkeys WHERE person = $1 ORDER BY created_at, id`, sqldb.CleanText(person))
	return sqldb.Collect(rows, err, scanPasskey)
}

// UsePasskey implements store.Passkeys.
func (a Accounts) UsePasskey(ctx context.Context, id, before, after string, at int64) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		return c.ExecOne(ctx, `UPDATE passkeys SET credential = $3, used_at = $4 WHERE id = $1 AND credential = $2`, sqldb.CleanText(id), sqldb.CleanText(before), sqldb.CleanText(after), at)
	})
}

// RemovePasskey implements store.Passkeys.
func (a Accounts) RemovePasskey(ctx context.Context, act store.Act, person, id string) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := lockUser(ctx, c, person); err != nil {
			return err
		}
		var name string
		if err := c.Row(ctx, `DELETE FROM passkeys WHERE id = $1 AND person = $2 RETURNING name`, sqldb.CleanText(id), sqldb.CleanText(person)).Scan(&name); err != nil {
			return err
		}
		if err := checkSignInMethodLeft(ctx, c, person); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "passkey.remove", person+" "+name)
	})
}

// lockUser locks a user until the commit, so that concurrent removals of sign-in methods run one after the other.
func lockUser(ctx context.Context, c *sqldb.Tx, person string) error {
	return c.ExecOne(ctx, `UPDATE users SET id = id WHERE id = $1`, sqldb.CleanText(person))
}

// checkSignInMethodLeft returns ErrLastSignInMethod if the user has no sign-in method left. The caller has locked the user.
func checkSignInMethodLeft(ctx context.Context, c *sqldb.Tx, person string) error {
	var ways int
	err := c.Row(ctx, `SELECT (SELECT count(*) FROM users WHERE id = $1 AND password <> '')
		+ (SELECT count(*) FROM passkeys WHERE person = $1) + (SELECT count(*) FROM identities WHERE person = $1)`, sqldb.CleanText(person)).Scan(&ways)
	if err == nil && ways == 0 {
		err = store.ErrLastSignInMethod
	}
	return err
}

// SetRecoveryCodes implements store.RecoveryCodes.
func (a Accounts) SetRecoveryCodes(ctx context.Context, act store.Act, person string, hashes []string) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if _, err := c.Exec(ctx, `DELETE FROM recovery_codes WHERE person = $1`, sqldb.CleanText(person)); err != nil {
			return err
		}
		for _, hash := range hashes {
			if _, err := c.Exec(ctx, `INSERT INTO recovery_codes (person, hash, created_at, used_at) VALUES ($1, $2, $3, 0)`, sqldb.CleanText(person), sqldb.CleanText(hash), act.At); err != nil {
				return err
			}
		}
		return c.Audit(ctx, act, "", "recovery.new", person)
	})
}

// RecoveryCodes implements store.RecoveryCodes.
func (a Accounts) RecoveryCodes(ctx context.Context, person string) (left store.RecoveryCodeCount, err error) {
	return left, a.Row(ctx, `SELECT count(CASE WHEN used_at = 0 THEN 1 END), count(*), coalesce(max(created_at), 0) FROM recovery_codes WHERE person = $1`,
		sqldb.CleanText(person)).Scan(&left.Left, &left.Of, &left.Made)
}

// UseRecoveryCode implements store.RecoveryCodes.
func (a Accounts) UseRecoveryCode(ctx context.Context, act store.Act, person, hash string) (left int, err error) {
	err = a.Update(ctx, func(c *sqldb.Tx) error {
		if err := c.ExecOne(ctx, `UPDATE recovery_codes SET used_at = $3 WHERE person = $1 AND hash = $2 AND used_at = 0`, sqldb.CleanText(person), sqldb.CleanText(hash), act.At); err != nil {
			return err
		}
		if err := c.Row(ctx, `SELECT count(*) FROM recovery_codes WHERE person = $1 AND used_at = 0`, sqldb.CleanText(person)).Scan(&left); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "recovery.use", person)
	})
	return left, err
}
