package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/figs-web/figs-web/internal/store"
)

// snapshotPostgres copies a consistent snapshot to a SQLite file. The result is what a server on SQLite would have, and is
// verified and restored in the same way.
func (s *Store) snapshotPostgres(ctx context.Context, file string) (err error) {
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("sqlstore: copying the database: %s exists already", file)
	}
	defer func() {
		if err != nil {
			os.Remove(file)
		}
	}()
	to, err := OpenSQLite(ctx, file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }() // Close merges the log into the file
	if _, err := to.CopyFrom(ctx, s, store.CopyOptions{}); err != nil {
		return fmt.Errorf("sqlstore: copying the database: %w", err)
	}
	return to.FinishCopy(ctx)
}
