package sqlstore

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/internal/store"
)

const userColumns = `id, email, name, password, created_at, named_at, operator, language`

func scanUser(r scanner, u *store.User) error {
	var operator int
	err := r.Scan(&u.ID, &u.Email, &u.Name, &u.Password, &u.Created, &u.Named, &operator, &u.Language)
	u.Operator = operator != 0
	return err
}

// emailKey folds an e-mail address as people do.
func emailKey(email string) string { return strings.ToLower(strings.TrimSpace(clean(email))) }

// AddUser implements store.Users.
func (s *Store) AddUser(ctx context.Context, act store.Act, u store.User) error {
	return s.change(ctx, func(c *change) error {
		if _, err := c.do(ctx, `DELETE FROM setups`); err != nil {
			return err
		}
		return c.addUser(ctx, act, u)
	})
}

func (c *change) addUser(ctx context.Context, act store.Act, u store.User) error {
	_, err := c.do(ctx, `INSERT INTO users (`+userColumns+`) VALUES ($1, $2, $3, $4, $5, $5, $6, $7)`,
		u.ID, emailKey(u.Email), clean(u.Name), u.Password, u.Created, flag(u.Operator), clean(u.Language))
	if c.s.taken(err) {
		return &store.Taken{What: "e-mail address", Name: u.Email}
	}
	if err != nil {
		return err
	}
	return c.audit(ctx, act, "", "user.add", u.ID+" "+emailKey(u.Email))
}

// User implements store.Users.
func (s *Store) User(ctx context.Context, id string) (u store.User, err error) {
	return u, scanUser(s.row(ctx, `SELECT `+userColumns+` FROM users WHERE id = $1`, clean(id)), &u)
}

// UserByEmail implements store.Users.
func (s *Store) UserByEmail(ctx context.Context, email string) (u store.User, err error) {
	return u, scanUser(s.row(ctx, `SELECT `+userColumns+` FROM users WHERE email = $1`, emailKey(email)), &u)
}

// ListUsers implements store.Users.
func (s *Store) ListUsers(ctx context.Context) ([]store.User, error) {
	rows, err := s.rows(ctx, `SELECT `+userColumns+` FROM users ORDER BY email`)
	return collect(rows, err, scanUser)
}

// SetPassword implements store.Users.
func (s *Store) SetPassword(ctx context.Context, act store.Act, id, password string) error {
	return s.change(ctx, func(c *change) error { return c.setPassword(ctx, act, id, password) })
}

func (c *change) setPassword(ctx context.Context, act store.Act, id, password string) error {
	if err := c.one(ctx, `UPDATE users SET password = $2 WHERE id = $1`, clean(id), password); err != nil {
		return err
	}
	if _, err := c.do(ctx, `DELETE FROM sessions WHERE person = $1`, id); err != nil {
		return err
	}
	return c.audit(ctx, act, "", "user.password", id)
}

// one runs a statement that must touch a row, else there is no such thing.
func (c *change) one(ctx context.Context, query string, args ...any) error {
	n, err := c.do(ctx, query, args...)
	if err == nil && n == 0 {
		return store.ErrNotFound
	}
	return err
}
