package sqlstore

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/internal/store"
)

// SigningKey implements store.SigningKeys.
func (s *Store) SigningKey(ctx context.Context, fresh []byte, at int64) (seed []byte, since int64, err error) {
	const query = `SELECT seed, created_at FROM keys WHERE no = 1`
	if err = s.Row(ctx, query).Scan(&seed, &since); !errors.Is(err, store.ErrNotFound) {
		return seed, since, err
	}
	if len(fresh) != 32 {
		return nil, 0, errors.New("sqlstore: a seed must have 32 bytes")
	}
	err = s.update(ctx, func(c *storeTx) error {
		n, err := c.Exec(ctx, `INSERT INTO keys (no, seed, created_at) VALUES (1, $1, $2) ON CONFLICT DO NOTHING`, fresh, at)
		if err == nil && n > 0 {
			err = c.Audit(ctx, store.Act{At: at}, "", "key.make", "")
		}
		if err != nil {
			return err
		}
		return c.Row(ctx, query).Scan(&seed, &since)
	})
	return seed, since, err
}
