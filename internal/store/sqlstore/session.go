package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
)

const sessionColumns = `hash, person, data, agent, created_at, used_at, expires_at, address, way, proved_at`

func scanSession(r scanner, s *store.Session) error {
	return r.Scan(&s.Hash, &s.User, &s.Data, &s.Agent, &s.Created, &s.Used, &s.Expires, &s.Address, (*string)(&s.Way), &s.Proved)
}

// SaveSession implements store.Sessions.
func (s *Store) SaveSession(ctx context.Context, x store.Session) error {
	if x.Data == nil {
		x.Data = []byte{}
	}
	return s.exec(ctx, `INSERT INTO sessions (`+sessionColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (hash) DO UPDATE SET person = excluded.person, data = excluded.data, used_at = excluded.used_at, expires_at = excluded.expires_at`,
		x.Hash, x.User, x.Data, clean(cut(x.Agent, 300)), x.Created, x.Used, x.Expires, clean(cut(x.Address, 100)), string(x.Way), x.Proved)
}

// Session implements store.Sessions.
func (s *Store) Session(ctx context.Context, hash string, at int64) (x store.Session, err error) {
	return x, scanSession(s.row(ctx, `SELECT `+sessionColumns+` FROM sessions WHERE hash = $1 AND expires_at > $2`, clean(hash), at), &x)
}

// ListSessions implements store.Sessions.
func (s *Store) ListSessions(ctx context.Context, user string, at int64) ([]store.Session, error) {
	rows, err := s.rows(ctx, `SELECT `+sessionColumns+` FROM sessions WHERE person = $1 AND expires_at > $2 ORDER BY created_at DESC, hash`, clean(user), at)
	return collect(rows, err, scanSession)
}

// KeepSession implements store.Sessions.
func (s *Store) KeepSession(ctx context.Context, hash string, data []byte, used, expires int64) error {
	if data == nil {
		data = []byte{}
	}
	return s.change(ctx, func(c *change) error {
		return c.one(ctx, `UPDATE sessions SET data = $2, used_at = $3, expires_at = $4 WHERE hash = $1`, clean(hash), data, used, expires)
	})
}

// MarkProved implements store.Sessions.
func (s *Store) MarkProved(ctx context.Context, hash string, at int64) error {
	return s.change(ctx, func(c *change) error {
		return c.one(ctx, `UPDATE sessions SET proved_at = $2 WHERE hash = $1`, clean(hash), at)
	})
}

// EndSession implements store.Sessions.
func (s *Store) EndSession(ctx context.Context, hash string) error {
	return s.exec(ctx, `DELETE FROM sessions WHERE hash = $1`, clean(hash))
}

// EndSessions implements store.Sessions.
func (s *Store) EndSessions(ctx context.Context, user string) error {
	return s.exec(ctx, `DELETE FROM sessions WHERE person = $1`, clean(user))
}

// Sweep implements store.Sessions.
func (s *Store) Sweep(ctx context.Context, at int64) error {
	return s.change(ctx, func(c *change) error {
		for _, table := range []string{"sessions", "devices", "tickets", "attempts"} {
			if _, err := c.do(ctx, `DELETE FROM `+table+` WHERE expires_at <= $1`, at); err != nil {
				return err
			}
		}
		if s.config != nil {
			return c.later(ctx, sweepFates)
		}
		return nil
	})
}
