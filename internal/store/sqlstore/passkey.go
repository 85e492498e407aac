package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
)

const passkeyColumns = `id, person, name, credential, created_at, used_at`

func scanPasskey(r scanner, p *store.Passkey) error {
	return r.Scan(&p.ID, &p.Person, &p.Name, &p.Credential, &p.Created, &p.Used)
}

// AddPasskey implements store.Passkeys.
func (s *Store) AddPasskey(ctx context.Context, act store.Act, p store.Passkey) error {
	return s.change(ctx, func(c *change) error {
		_, err := c.do(ctx, `INSERT INTO passkeys (`+passkeyColumns+`) VALUES ($1, $2, $3, $4, $5, 0)`,
			clean(p.ID), clean(p.Person), clean(p.Name), clean(p.Credential), p.Created)
		if c.s.taken(err) {
			return &store.Taken{What: "passkey", Name: p.Name}
		}
		if err != nil {
			return err
		}
		return c.audit(ctx, act, "", "passkey.add", p.Person+" "+clean(p.Name))
	})
}

// Passkey implements store.Passkeys.
func (s *Store) Passkey(ctx context.Context, id string) (p store.Passkey, err error) {
	return p, scanPasskey(s.row(ctx, `SELECT `+passkeyColumns+` FROM passkeys WHERE id = $1`, clean(id)), &p)
}

// ListPasskeys implements store.Passkeys.
func (s *Store) ListPasskeys(ctx context.Context, person string) ([]store.Passkey, error) {
	rows, err := s.rows(ctx, `SELECT `+passkeyColumns+` FROM passkeys WHERE person = $1 ORDER BY created_at, id`, clean(person))
	return collect(rows, err, scanPasskey)
}

// UsePasskey implements store.Passkeys.
func (s *Store) UsePasskey(ctx context.Context, id, before, after string, at int64) error {
	return s.change(ctx, func(c *change) error {
		return c.one(ctx, `UPDATE passkeys SET credential = $3, used_at = $4 WHERE id = $1 AND credential = $2`, clean(id), clean(before), clean(after), at)
	})
}

// RemovePasskey implements store.Passkeys.
func (s *Store) RemovePasskey(ctx context.Context, act store.Act, person, id string) error {
	return s.change(ctx, func(c *change) error {
		if err := c.lockPerson(ctx, person); err != nil {
			return err
		}
		var name string
		if err := c.row(ctx, `DELETE FROM passkeys WHERE id = $1 AND person = $2 RETURNING name`, clean(id), clean(person)).Scan(&name); err != nil {
			return err
		}
		if err := c.keepWay(ctx, person); err != nil {
			return err
		}
		return c.audit(ctx, act, "", "passkey.remove", person+" "+name)
	})
}

// lockPerson holds a person until the commit, so that of two ways to sign in which go at once one
// comes after the other.
func (c *change) lockPerson(ctx context.Context, person string) error {
	return c.one(ctx, `UPDATE users SET id = id WHERE id = $1`, clean(person))
}

// keepWay refuses to leave a person without a way to sign in. The caller has locked the person.
func (c *change) keepWay(ctx context.Context, person string) error {
	var ways int
	err := c.row(ctx, `SELECT (SELECT count(*) FROM users WHERE id = $1 AND password <> '')
		+ (SELECT count(*) FROM passkeys WHERE person = $1) + (SELECT count(*) FROM identities WHERE person = $1)`, clean(person)).Scan(&ways)
	if err == nil && ways == 0 {
		err = store.ErrLastWay
	}
	return err
}

// SetRecoveryCodes implements store.Recoveries.
func (s *Store) SetRecoveryCodes(ctx context.Context, act store.Act, person string, hashes []string) error {
	return s.change(ctx, func(c *change) error {
		if _, err := c.do(ctx, `DELETE FROM recovery_codes WHERE person = $1`, clean(person)); err != nil {
			return err
		}
		for _, hash := range hashes {
			if _, err := c.do(ctx, `INSERT INTO recovery_codes (person, hash, created_at, used_at) VALUES ($1, $2, $3, 0)`, clean(person), clean(hash), act.At); err != nil {
				return err
			}
		}
		return c.audit(ctx, act, "", "recovery.new", person)
	})
}

// RecoveryCodes implements store.Recoveries.
func (s *Store) RecoveryCodes(ctx context.Context, person string) (left store.RecoveryLeft, err error) {
	return left, s.row(ctx, `SELECT count(CASE WHEN used_at = 0 THEN 1 END), count(*), coalesce(max(created_at), 0) FROM recovery_codes WHERE person = $1`,
		clean(person)).Scan(&left.Left, &left.Of, &left.Made)
}

// UseRecoveryCode implements store.Recoveries.
func (s *Store) UseRecoveryCode(ctx context.Context, act store.Act, person, hash string) (left int, err error) {
	err = s.change(ctx, func(c *change) error {
		if err := c.one(ctx, `UPDATE recovery_codes SET used_at = $3 WHERE person = $1 AND hash = $2 AND used_at = 0`, clean(person), clean(hash), act.At); err != nil {
			return err
		}
		if err := c.row(ctx, `SELECT count(*) FROM recovery_codes WHERE person = $1 AND used_at = 0`, clean(person)).Scan(&left); err != nil {
			return err
		}
		return c.audit(ctx, act, "", "recovery.use", person)
	})
	return left, err
}
