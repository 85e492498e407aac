// Package account implements the part of store.Store that is about people: users, credentials, sessions, tokens, device
// logins, workspaces, members and invites.
package account

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// Accounts implements that part of store.Store.
type Accounts struct{ *sqldb.DB }

const userColumns = `id, email, name, password, created_at, named_at, operator, language`

func scanUser(r sqldb.Scanner, u *store.User) error {
	var operator int
	err := r.Scan(&u.ID, &u.Email, &u.Name, &u.Password, &u.Created, &u.NamedSince, &operator, &u.Language)
	u.Operator = operator != 0
	return err
}

// emailKey normalizes an email address for comparison.
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

// Rehash implements store.Users. It isn't audited, because nothing visible changes.
func (a Accounts) Rehash(ctx context.Context, id, old, encoded string) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		return c.ExecOne(ctx, `UPDATE users SET password = $3 WHERE id = $1 AND password = $2`, sqldb.CleanText(id), old, encoded)
	})
}

// SetUserName implements store.Users.
func (a Accounts) SetUserName(ctx context.Context, act store.Act, id, name string) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := c.ExecOne(ctx, `UPDATE users SET named_at = CASE WHEN name = $2 THEN named_at ELSE $3 END, name = $2 WHERE id = $1`, sqldb.CleanText(id), sqldb.CleanText(name), act.At); err != nil {
			return err
		}
		if err := rosterChangedEverywhere(ctx, c, sqldb.CleanText(id)); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "user.name", id+" "+sqldb.CleanText(name))
	})
}

// rosterChangedEverywhere records a changed roster in all workspaces of a user.
func rosterChangedEverywhere(ctx context.Context, c *sqldb.Tx, person string) error {
	rows, err := c.Rows(ctx, `SELECT m.workspace FROM members m JOIN workspaces w ON w.id = m.workspace AND w.deleted_at = 0 WHERE m.person = $1 ORDER BY m.workspace`, person)
	workspaces, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, id *string) error { return r.Scan(id) })
	if err != nil {
		return err
	}
	for _, id := range workspaces {
		if _, err := c.NextSeq(ctx, id); err != nil {
			return err
		}
		if err := c.RosterChanged(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// SetLanguage implements store.Users.
func (a Accounts) SetLanguage(ctx context.Context, act store.Act, id, language string) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := c.ExecOne(ctx, `UPDATE users SET language = $2 WHERE id = $1`, sqldb.CleanText(id), sqldb.CleanText(language)); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "user.language", id+" "+sqldb.CleanText(language))
	})
}

// SetOperator implements store.Users.
func (a Accounts) SetOperator(ctx context.Context, act store.Act, id string, operator bool) error {
	action := "user.operator"
	if !operator {
		action = "user.operator.remove"
	}
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := c.ExecOne(ctx, `UPDATE users SET operator = $2 WHERE id = $1`, sqldb.CleanText(id), sqldb.BoolInt(operator)); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", action, id)
	})
}
