package account

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const sessionColumns = `hash, person, data, agent, created_at, used_at, expires_at, address, way, proved_at`

func scanSession(r sqldb.Scanner, s *store.Session) error {
	return r.Scan(&s.Hash, &s.User, &s.Data, &s.Agent, &s.Created, &s.Used, &s.Expires, &s.Address, (*string)(&s.Method), &s.Proved)
}

// SaveSession implements store.Sessions.
func (a Accounts) SaveSession(ctx context.Context, x store.Session) error {
	if x.Data == nil {
		x.Data = []byte{}
	}
	return a.Exec(ctx, `INSERT INTO sessions (`+sessionColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (hash) DO UPDATE SET person = excluded.person, data = excluded.data, used_at = excluded.used_at, expires_at = excluded.expires_at`,
		x.Hash, x.User, x.Data, sqldb.CleanText(sqldb.CutText(x.Agent, 300)), x.Created, x.Used, x.Expires, sqldb.CleanText(sqldb.CutText(x.Address, 100)), string(x.Method), x.Proved)
}

// Session implements store.Sessions.
func (a Accounts) Session(ctx context.Context, hash string, at int64) (x store.Session, err error) {
	return x, scanSession(a.Row(ctx, `SELECT `+sessionColumns+` FROM sessions WHERE hash = $1 AND expires_at > $2`, sqldb.CleanText(hash), at), &x)
}

// ListSessions implements store.Sessions.
func (a Accounts) ListSessions(ctx context.Context, user string, at int64) ([]store.Session, error) {
	rows, err := a.Rows(ctx, `SELECT `+sessionColumns+` FROM sessions WHERE person = $1 AND expires_at > $2 ORDER BY created_at DESC, hash`, sqldb.CleanText(user), at)
	return sqldb.Collect(rows, err, scanSession)
}

// UpdateSession implements store.Sessions.
func (a Accounts) UpdateSession(ctx context.Context, hash string, data []byte, used, expires int64) error {
	if data == nil {
		data = []byte{}
	}
	return a.Update(ctx, func(c *sqldb.Tx) error {
		return c.ExecOne(ctx, `UPDATE sessions SET data = $2, used_at = $3, expires_at = $4 WHERE hash = $1`, sqldb.CleanText(hash), data, used, expires)
	})
}

// MarkProved implements store.Sessions.
func (a Accounts) MarkProved(ctx context.Context, hash string, at int64) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		return c.ExecOne(ctx, `UPDATE sessions SET proved_at = $2 WHERE hash = $1`, sqldb.CleanText(hash), at)
	})
}

// EndSession implements store.Sessions.
func (a Accounts) EndSession(ctx context.Context, hash string) error {
	return a.Exec(ctx, `DELETE FROM sessions WHERE hash = $1`, sqldb.CleanText(hash))
}

// EndSessions implements store.Sessions.
func (a Accounts) EndSessions(ctx context.Context, user string) error {
	return a.Exec(ctx, `DELETE FROM sessions WHERE person = $1`, sqldb.CleanText(user))
}

// Sweep implements store.Sessions.
func (a Accounts) Sweep(ctx context.Context, at int64) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		for _, table := range []string{"sessions", "devices", "tickets", "attempts"} {
			if _, err := c.Exec(ctx, `DELETE FROM `+table+` WHERE expires_at <= $1`, at); err != nil {
				return err
			}
		}
		if a.Config != nil {
			return c.Later(ctx, sqldb.SweepCommitMarkers)
		}
		return nil
	})
}
