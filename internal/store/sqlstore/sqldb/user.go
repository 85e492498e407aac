package sqldb

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
)

// ExecOne runs a statement that must touch a row, else there is no such thing.
func (c *Tx) ExecOne(ctx context.Context, query string, args ...any) error {
	n, err := c.Exec(ctx, query, args...)
	if err == nil && n == 0 {
		return store.ErrNotFound
	}
	return err
}
