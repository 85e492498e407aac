package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// Snapshot implements store.Backups.
func (s *Store) Snapshot(ctx context.Context, file string) error { return s.snapshot(ctx, file) }

// snapshotTo copies with VACUUM INTO, in a read transaction, to a file without free pages. It opens a new connection,
// because those for reading can't write to any file.
func snapshotTo(ctx context.Context, from, to string) error {
	db, err := sql.Open("sqlite", sqldb.FileURI(from)+"_pragma=busy_timeout(10000)&_pragma=temp_store(memory)")
	if err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, `VACUUM INTO $1`, to); err != nil {
		return fmt.Errorf("sqlstore: copying the database: %w", err)
	}
	return nil
}

// EachBlob implements store.Backups.
func (s *Store) EachBlob(ctx context.Context, yield func(sha256 string, size int64) error) error {
	rows, err := s.Rows(ctx, `SELECT a.sha256, max(a.size) FROM attachments a
		WHERE NOT EXISTS (SELECT 1 FROM erasures e WHERE e.agent = a.agent AND e.kind = 3 AND e.id = a.name)
		GROUP BY a.sha256 ORDER BY a.sha256`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var hash string
		var size int64
		if err := rows.Scan(&hash, &size); err != nil {
			return err
		}
		if err := yield(hash, size); err != nil {
			return err
		}
	}
	return rows.Err()
}

// SetFact implements store.Facts.
func (s *Store) SetFact(ctx context.Context, name, value string, at int64) error {
	return s.update(ctx, func(c *storeTx) error {
		_, err := c.Exec(ctx, `INSERT INTO facts (name, value, at) VALUES ($1, $2, $3)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value, at = excluded.at`, sqldb.CleanText(name), sqldb.CleanText(value), at)
		return err
	})
}

// Fact implements store.Facts.
func (s *Store) Fact(ctx context.Context, name string) (value string, at int64, err error) {
	return value, at, s.Row(ctx, `SELECT value, at FROM facts WHERE name = $1`, sqldb.CleanText(name)).Scan(&value, &at)
}
