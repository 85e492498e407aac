// Package account keeps people: how they sign in, their sessions, tokens and devices, the workspaces that they are members
// of, and invitations.
package account

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const userColumns = `id, email, name, password, created_at, named_at, operator, language`

func scanUser(r sqldb.Scanner, u *store.User) error {
	var operator int
	err := r.Scan(&u.ID, &u.Email, &u.Name, &u.Password, &u.Created, &u.NamedSince, &operator, &u.Language)
	u.Operator = operator != 0
	return err
}

// emailKey folds an e-mail address as people do.
func emailKey(email string) string { return strings.ToLower(strings.TrimSpace(sqldb.CleanText(email))) }

// AddUser implements store.Users.
func (a Accounts) AddUser(ctx context.Context, act store.Act, u store.User) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if _, err := c.Exec(ctx, `DELETE FROM setups`); err != nil {
			return err
		}
		return addUser(ctx, c, act, u)
	})
}

func addUser(ctx context.Context, c *sqldb.Tx, act store.Act, u store.User) error {
	_, err := c.Exec(ctx, `INSERT INTO users (`+userColumns+`) VALUES ($1, $2, $3, $4, $5, $5, $6, $7)`,
		u.ID, emailKey(u.Email), sqldb.CleanText(u.Name), u.Password, u.Created, sqldb.BoolInt(u.Operator), sqldb.CleanText(u.Language))
	if c.DB.IsUniqueViolation(err) {
		return &store.TakenError{What: "e-mail address", Name: u.Email}
	}
	if err != nil {
		return err
	}
	return c.Audit(ctx, act, "", "user.add", u.ID+" "+emailKey(u.Email))
}

// User implements store.Users.
func (a Accounts) User(ctx context.Context, id string) (u store.User, err error) {
	return u, scanUser(a.Row(ctx, `SELECT `+userColumns+` FROM users WHERE id = $1`, sqldb.CleanText(id)), &u)
}

// UserByEmail implements store.Users.
func (a Accounts) UserByEmail(ctx context.Context, email string) (u store.User, err error) {
	return u, scanUser(a.Row(ctx, `SELECT `+userColumns+` FROM users WHERE email = $1`, emailKey(email)), &u)
}

// ListUsers implements store.Users.
func (a Accounts) ListUsers(ctx context.Context) ([]store.User, error) {
	rows, err := a.Rows(ctx, `SELECT `+userColumns+` FROM users ORDER BY email`)
	return sqldb.Collect(rows, err, scanUser)
}

// SetPassword implements store.Users.
func (a Accounts) SetPassword(ctx context.Context, act store.Act, id, password string) error {
	return a.Update(ctx, func(c *sqldb.Tx) error { return setPassword(ctx, c, act, id, password) })
}

func setPassword(ctx context.Context, c *sqldb.Tx, act store.Act, id, password string) error {
	if err := c.ExecOne(ctx, `UPDATE users SET password = $2 WHERE id = $1`, sqldb.CleanText(id), password); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `DELETE FROM sessions WHERE person = $1`, id); err != nil {
		return err
	}
	return c.Audit(ctx, act, "", "user.password", id)
}

// Accounts are the people of a store, and what they sign in and act with.
type Accounts struct{ *sqldb.DB }
