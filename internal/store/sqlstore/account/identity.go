package account

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const identityColumns = `issuer, subject, person, email, created_at, used_at`

func scanIdentity(r sqldb.Scanner, i *store.Identity) error {
	return r.Scan(&i.Issuer, &i.Subject, &i.Person, &i.Email, &i.Created, &i.Used)
}

// AddIdentity implements store.Identities.
func (a Accounts) AddIdentity(ctx context.Context, act store.Act, i store.Identity) error {
	return a.Update(ctx, func(c *sqldb.Tx) error { return addIdentity(ctx, c, act, i) })
}

// AddProvisioned implements store.Identities.
func (a Accounts) AddProvisioned(ctx context.Context, act store.Act, u store.User, i store.Identity) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := addUserEndingSetup(ctx, c, act, u); err != nil {
			return err
		}
		return addIdentity(ctx, c, act, i)
	})
}

// addUserEndingSetup adds a user, and deletes the set-up link, which is only for a server without users.
func addUserEndingSetup(ctx context.Context, c *sqldb.Tx, act store.Act, u store.User) error {
	if _, err := c.Exec(ctx, `DELETE FROM setups`); err != nil {
		return err
	}
	return addUser(ctx, c, act, u)
}

func addIdentity(ctx context.Context, c *sqldb.Tx, act store.Act, i store.Identity) error {
	_, err := c.Exec(ctx, `INSERT INTO identities (`+identityColumns+`) VALUES ($1, $2, $3, $4, $5, $6)`,
		sqldb.CleanText(i.Issuer), sqldb.CleanText(i.Subject), i.Person, emailKey(i.Email), i.Created, i.Used)
	if c.DB.IsUniqueViolation(err) {
		return &store.TakenError{What: "identity", Name: i.Subject}
	}
	if err != nil {
		return err
	}
	return c.Audit(ctx, act, "", "identity.add", i.Person+" "+i.Issuer)
}

// Identity implements store.Identities.
func (a Accounts) Identity(ctx context.Context, issuer, subject string) (i store.Identity, err error) {
	return i, scanIdentity(a.Row(ctx, `SELECT `+identityColumns+` FROM identities WHERE issuer = $1 AND subject = $2`, sqldb.CleanText(issuer), sqldb.CleanText(subject)), &i)
}

// UseIdentity implements store.Identities.
func (a Accounts) UseIdentity(ctx context.Context, issuer, subject, email string, at int64) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		return c.ExecOne(ctx, `UPDATE identities SET email = $3, used_at = $4 WHERE issuer = $1 AND subject = $2`, sqldb.CleanText(issuer), sqldb.CleanText(subject), emailKey(email), at)
	})
}

// ListIdentities implements store.Identities.
func (a Accounts) ListIdentities(ctx context.Context, person string) ([]store.Identity, error) {
	rows, err := a.Rows(ctx, `SELECT `+identityColumns+` FROM identities WHERE person = $1 ORDER BY created_at, issuer, subject`, sqldb.CleanText(person))
	return sqldb.Collect(rows, err, scanIdentity)
}

// RemoveIdentity implements store.Identities.
func (a Accounts) RemoveIdentity(ctx context.Context, act store.Act, person, issuer, subject string) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := lockUser(ctx, c, person); err != nil {
			return err
		}
		if err := c.ExecOne(ctx, `DELETE FROM identities WHERE person = $1 AND issuer = $2 AND subject = $3`, sqldb.CleanText(person), sqldb.CleanText(issuer), sqldb.CleanText(subject)); err != nil {
			return err
		}
		if err := checkSignInMethodLeft(ctx, c, person); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "identity.remove", person+" "+issuer)
	})
}
