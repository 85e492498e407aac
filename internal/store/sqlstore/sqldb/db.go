// Package sqldb is the database layer of a store: connections to SQLite or PostgreSQL, transactions that are retried after
// conflicts and lost connections, migrations, and the differences between the two databases (Dialect). It knows the tables
// for the audit log and for search; the packages above it know the others.
package sqldb

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	_ "modernc.org/sqlite" // registers "sqlite"

	"github.com/figs-web/figs-web/internal/store"
)

// DB is the database of a store.
type DB struct {
	Read, Write  *sql.DB         // the same on PostgreSQL
	Config       *pgx.ConnConfig // nil for SQLite
	RetryTimeout time.Duration   // how long to retry while the database doesn't answer
	Dialect
	Prepared   sync.Map // statements for reading, by query
	kept       keptStatements
	queryCount atomic.Int64
	txCounts   txCounter
	trace      func(ctx context.Context) (end func(error)) // called for each write transaction; may be nil
}

// maxReaders is the number of SQLite connections for reading, besides the one for writing.
const maxReaders = 4

// OpenSQLite opens or creates the database file and migrates it to the newest schema.
func OpenSQLite(ctx context.Context, file string) (*DB, error) {
	db := &DB{Dialect: SQLite{}}
	// synchronous is full, so that a committed change survives a power loss.
	const both = "_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)&_pragma=journal_mode(wal)&_pragma=synchronous(full)&_pragma=temp_store(memory)"
	var err error
	// A cache of 12 MB, so that pages that a large push changes repeatedly aren't written to the log each time.
	const writer = "&_pragma=secure_delete(1)&_pragma=cache_size(-12000)&_txlock=immediate"
	// secure_delete overwrites deleted data, so that erased text doesn't remain in free parts of the file.
	if db.Write, err = sql.Open("sqlite", FileURI(file)+both+writer); err != nil {
		return nil, fmt.Errorf("sqlstore: opening %s: %w", file, err)
	}
	db.Write.SetMaxOpenConns(1)
	if err := db.Migrate(ctx); err != nil {
		db.Write.Close()
		return nil, fmt.Errorf("sqlstore: %s: %w", file, err)
	}
	if db.Read, err = sql.Open("sqlite", FileURI(file)+both+"&_pragma=query_only(1)"); err != nil {
		db.Write.Close()
		return nil, fmt.Errorf("sqlstore: opening %s: %w", file, err)
	}
	db.Read.SetMaxOpenConns(maxReaders)
	db.Read.SetMaxIdleConns(maxReaders)
	return db, nil
}

// FileURI returns a file's URI, escaped so that no character of its name is parsed as an option.
func FileURI(file string) string { return "file:" + (&url.URL{Path: file}).EscapedPath() + "?" }

// Queries returns how many queries have run since the store was opened, not counting statements that only write, nor those
// sent to PostgreSQL in a batch.
func (db *DB) Queries() int64 { return db.queryCount.Load() }

// Close implements store.Maintenance.
func (db *DB) Close() error {
	db.Prepared.Range(func(_, stmt any) bool {
		stmt.(*sql.Stmt).Close()
		return true
	})
	db.kept.close()
	if db.Read != db.Write {
		db.Read.Close()
	}
	return db.Write.Close()
}

// Ready implements store.Maintenance. It doesn't retry, because the caller wants the current state.
func (db *DB) Ready(ctx context.Context) error {
	var n int
	return db.Read.QueryRowContext(ctx, `SELECT count(*) FROM migrations`).Scan(&n)
}

// txCounter counts transactions.
type txCounter struct{ committed, failed atomic.Int64 }

func (w *txCounter) count(err error) {
	if err != nil {
		w.failed.Add(1)
		return
	}
	w.committed.Add(1)
}

// TxStats implements store.StatsReader.
func (db *DB) TxStats() store.TxStats {
	stats := db.Write.Stats()
	return store.TxStats{Committed: db.txCounts.committed.Load(), Failed: db.txCounts.failed.Load(), Waits: stats.WaitCount, Waited: stats.WaitDuration.Microseconds(),
		Queries: db.Queries()}
}
