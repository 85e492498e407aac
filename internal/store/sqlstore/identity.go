package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
)

const identityColumns = `issuer, subject, person, email, created_at, used_at`

func scanIdentity(r scanner, i *store.Identity) error {
	return r.Scan(&i.Issuer, &i.Subject, &i.Person, &i.Email, &i.Created, &i.Used)
}

// AddIdentity implements store.Identities.
func (s *Store) AddIdentity(ctx context.Context, act store.Act, i store.Identity) error {
	return s.change(ctx, func(c *change) error { return c.addIdentity(ctx, act, i) })
}

// AddProvisioned implements store.Identities.
func (s *Store) AddProvisioned(ctx context.Context, act store.Act, u store.User, i store.Identity) error {
	return s.change(ctx, func(c *change) error {
		if err := c.addPerson(ctx, act, u); err != nil {
			return err
		}
		return c.addIdentity(ctx, act, i)
	})
}

// addPerson is AddUser within another change: once there is somebody, nobody sets the reader up.
func (c *change) addPerson(ctx context.Context, act store.Act, u store.User) error {
	if _, err := c.do(ctx, `DELETE FROM setups`); err != nil {
		return err
	}
	return c.addUser(ctx, act, u)
}

func (c *change) addIdentity(ctx context.Context, act store.Act, i store.Identity) error {
	_, err := c.do(ctx, `INSERT INTO identities (`+identityColumns+`) VALUES ($1, $2, $3, $4, $5, $6)`,
		clean(i.Issuer), clean(i.Subject), i.Person, emailKey(i.Email), i.Created, i.Used)
	if c.s.taken(err) {
		return &store.Taken{What: "identity", Name: i.Subject}
	}
	if err != nil {
		return err
	}
	return c.audit(ctx, act, "", "identity.add", i.Person+" "+i.Issuer)
}

// Identity implements store.Identities.
func (s *Store) Identity(ctx context.Context, issuer, subject string) (i store.Identity, err error) {
	return i, scanIdentity(s.row(ctx, `SELECT `+identityColumns+` FROM identities WHERE issuer = $1 AND subject = $2`, clean(issuer), clean(subject)), &i)
}

// UseIdentity implements store.Identities.
func (s *Store) UseIdentity(ctx context.Context, issuer, subject, email string, at int64) error {
	return s.change(ctx, func(c *change) error {
		return c.one(ctx, `UPDATE identities SET email = $3, used_at = $4 WHERE issuer = $1 AND subject = $2`, clean(issuer), clean(subject), emailKey(email), at)
	})
}

// ListIdentities implements store.Identities.
func (s *Store) ListIdentities(ctx context.Context, person string) ([]store.Identity, error) {
	rows, err := s.rows(ctx, `SELECT `+identityColumns+` FROM identities WHERE person = $1 ORDER BY created_at, issuer, subject`, clean(person))
	return collect(rows, err, scanIdentity)
}

// RemoveIdentity implements store.Identities.
func (s *Store) RemoveIdentity(ctx context.Context, act store.Act, person, issuer, subject string) error {
	return s.change(ctx, func(c *change) error {
		if err := c.lockPerson(ctx, person); err != nil {
			return err
		}
		if err := c.one(ctx, `DELETE FROM identities WHERE person = $1 AND issuer = $2 AND subject = $3`, clean(person), clean(issuer), clean(subject)); err != nil {
			return err
		}
		if err := c.keepWay(ctx, person); err != nil {
			return err
		}
		return c.audit(ctx, act, "", "identity.remove", person+" "+issuer)
	})
}
