package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
)

const sessionColumns = `hash, person, data, agent, created_at, expires_at`

func scanSession(r scanner, s *store.Session) error {
	return r.Scan(&s.Hash, &s.User, &s.Data, &s.Agent, &s.Created, &s.Expires)
}

// SaveSession implements store.Sessions.
func (s *Store) SaveSession(ctx context.Context, x store.Session) error {
	if x.Data == nil {
		x.Data = []byte{}
	}
	_, err := s.write.ExecContext(ctx, `INSERT INTO sessions (`+sessionColumns+`) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (hash) DO UPDATE SET person = excluded.person, data = excluded.data, expires_at = excluded.expires_at`,
		x.Hash, x.User, x.Data, clean(cut(x.Agent, 300)), x.Created, x.Expires)
	return err
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

// EndSession implements store.Sessions.
func (s *Store) EndSession(ctx context.Context, hash string) error {
	_, err := s.write.ExecContext(ctx, `DELETE FROM sessions WHERE hash = $1`, clean(hash))
	return err
}

// EndSessions implements store.Sessions.
func (s *Store) EndSessions(ctx context.Context, user string) error {
	_, err := s.write.ExecContext(ctx, `DELETE FROM sessions WHERE person = $1`, clean(user))
	return err
}

// Sweep implements store.Sessions.
func (s *Store) Sweep(ctx context.Context, at int64) error {
	return s.change(ctx, func(c *change) error {
		if _, err := c.do(ctx, `DELETE FROM sessions WHERE expires_at <= $1`, at); err != nil {
			return err
		}
		if _, err := c.do(ctx, `DELETE FROM devices WHERE expires_at <= $1`, at); err != nil {
			return err
		}
		_, err := c.do(ctx, `DELETE FROM attempts WHERE expires_at <= $1`, at)
		return err
	})
}
