package account

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// attempts are times, oldest first.
type attempts []int64

func readAttempts(text string) (all attempts) {
	for part := range strings.SplitSeq(text, " ") {
		if at, err := strconv.ParseInt(part, 10, 64); err == nil {
			all = append(all, at)
		}
	}
	return all
}

func (a attempts) String() string {
	var b []byte
	for i, at := range a {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, at, 10)
	}
	return string(b)
}

// within leaves out what the window has passed.
func (a attempts) within(at, window int64) attempts {
	for len(a) > 0 && a[0] <= at-window {
		a = a[1:]
	}
	return a
}

// wait is how long until fewer than most are within the window.
func (a attempts) wait(at, window int64, most int) int64 {
	switch {
	case most <= 0:
		return window
	case len(a) < most:
		return 0
	}
	return min(a[len(a)-most]+window-at, window) // a clock that was set back must not lock anybody out for longer
}

// Attempt implements store.RateLimits.
func (a Accounts) Attempt(ctx context.Context, name string, at, window int64, most int) (wait int64, err error) {
	name = sqldb.CleanText(sqldb.CutText(name, 400))
	var text string
	// Whoever must wait is told so without writing: hammering costs reads alone.
	err = a.Row(ctx, `SELECT times FROM attempts WHERE name = $1`, name).Scan(&text)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return 0, err
	}
	if wait = readAttempts(text).within(at, window).wait(at, window, most); wait > 0 {
		return wait, nil
	}
	err = a.Update(ctx, func(c *sqldb.Tx) error {
		// Writing first locks the row, so that of two attempts at once one comes after the other.
		err := c.Row(ctx, `INSERT INTO attempts (name, times, expires_at) VALUES ($1, '', 0)
			ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING times`, name).Scan(&text)
		if err != nil {
			return err
		}
		all := readAttempts(text).within(at, window)
		if wait = all.wait(at, window, most); wait > 0 {
			return nil
		}
		_, err = c.Exec(ctx, `UPDATE attempts SET times = $2, expires_at = $3 WHERE name = $1`, name, append(all, at).String(), at+window)
		return err
	})
	return wait, err
}

// ClearAttempts implements store.RateLimits.
func (a Accounts) ClearAttempts(ctx context.Context, name string) error {
	return a.Exec(ctx, `DELETE FROM attempts WHERE name = $1`, sqldb.CleanText(sqldb.CutText(name, 400)))
}

// nobody returns ErrNotFound when the reader has people.
func nobody(ctx context.Context, q sqldb.Queries) error {
	var people int
	err := q.Row(ctx, `SELECT count(*) FROM (SELECT 1 FROM users LIMIT 1) u`).Scan(&people)
	if err == nil && people > 0 {
		err = store.ErrNotFound
	}
	return err
}

// SetSetup implements store.SetupLinks.
func (a Accounts) SetSetup(ctx context.Context, hash string, expires int64) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := nobody(ctx, c); err != nil {
			return err
		}
		_, err := c.Exec(ctx, `INSERT INTO setups (no, hash, expires_at) VALUES (1, $1, $2)
			ON CONFLICT (no) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at`, hash, expires)
		return err
	})
}

// Setup implements store.SetupLinks.
func (a Accounts) Setup(ctx context.Context, hash string, at int64) error {
	var no int
	if err := a.Row(ctx, `SELECT no FROM setups WHERE hash = $1 AND expires_at > $2`, sqldb.CleanText(hash), at).Scan(&no); err != nil {
		return err
	}
	return nobody(ctx, a)
}

// UseSetup implements store.SetupLinks. Whoever takes the link's row away is the one who uses it.
func (a Accounts) UseSetup(ctx context.Context, act store.Act, hash string, u store.User, w store.Workspace) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := c.ExecOne(ctx, `DELETE FROM setups WHERE hash = $1 AND expires_at > $2`, sqldb.CleanText(hash), act.At); err != nil {
			return err
		}
		if err := nobody(ctx, c); err != nil {
			return err
		}
		act.By, u.Operator = u.ID, true
		if err := addUser(ctx, c, act, u); err != nil {
			return err
		}
		if err := addWorkspace(ctx, c, act, w, u.ID); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "reader.setup", u.ID+" "+w.ID)
	})
}
