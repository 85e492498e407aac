package account

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// attempts are times of attempts, oldest first.
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

// inWindow returns the attempts within the window that ends now.
func (a attempts) inWindow(at, window int64) attempts {
	for len(a) > 0 && a[0] <= at-window {
		a = a[1:]
	}
	return a
}

// wait returns how long until fewer than most attempts are in the window.
func (a attempts) wait(at, window int64, most int) int64 {
	switch {
	case most <= 0:
		return window
	case len(a) < most:
		return 0
	}
	return min(a[len(a)-most]+window-at, window) // at most window, in case the clock was set back
}

// Attempt implements store.RateLimits.
func (a Accounts) Attempt(ctx context.Context, name string, at, window int64, most int) (wait int64, err error) {
	name = sqldb.CleanText(sqldb.CutText(name, 400))
	var text string
	// An attempt that must wait is rejected without writing, so that hammering only costs reads.
	err = a.Row(ctx, `SELECT times FROM attempts WHERE name = $1`, name).Scan(&text)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return 0, err
	}
	if wait = readAttempts(text).inWindow(at, window).wait(at, window, most); wait > 0 {
		return wait, nil
	}
	err = a.Update(ctx, func(c *sqldb.Tx) error {
		// Writing first locks the row, so that concurrent attempts run one after the other.
		err := c.Row(ctx, `INSERT INTO attempts (name, times, expires_at) VALUES ($1, '', 0)
			ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING times`, name).Scan(&text)
		if err != nil {
			return err
		}
		all := readAttempts(text).inWindow(at, window)
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
