// Package sqldb is the database under a store: connections to SQLite or PostgreSQL, transactions that run again where another
// one was quicker or the server went away, migrations, and what differs between the two (Dialect). It knows the tables of
// the audit and of search; all others are the business of the packages above it.
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

// DB is a database of a store: its connections, and what differs between SQLite and PostgreSQL.
type DB struct {
	Read, Write *sql.DB         // one and the same on PostgreSQL
	Config      *pgx.ConnConfig // nil for a file
	Patience    time.Duration   // for a database that does not answer
	Dialect
	Prepared sync.Map // statements for reading, by query
	queries  atomic.Int64
	work     work
	trace    func(ctx context.Context) (end func(error)) // told of each transaction that writes; may be nil
}

// readers is how many connections of SQLite read at a time, beside the one that writes.
const readers = 4

// OpenSQLite opens the database file, or makes it, with the newest schema.
func OpenSQLite(ctx context.Context, file string) (*DB, error) {
	db := &DB{Dialect: SQLite{}}
	// What was acknowledged is on disk also when the machine loses power: synchronous is full.
	const both = "_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)&_pragma=journal_mode(wal)&_pragma=synchronous(full)&_pragma=temp_store(memory)"
	var err error
	// 12 MB of pages, so that pages that a large push changes again and again aren't written to the log each time.
	const writer = "&_pragma=secure_delete(1)&_pragma=cache_size(-12000)&_txlock=immediate"
	// What is deleted is overwritten, so that what was erased is not left in a free part of the file.
	if db.Write, err = sql.Open("sqlite", Address(file)+both+writer); err != nil {
		return nil, fmt.Errorf("sqlstore: opening %s: %w", file, err)
	}
	db.Write.SetMaxOpenConns(1)
	if err := db.Migrate(ctx); err != nil {
		db.Write.Close()
		return nil, fmt.Errorf("sqlstore: %s: %w", file, err)
	}
	if db.Read, err = sql.Open("sqlite", Address(file)+both+"&_pragma=query_only(1)"); err != nil {
		db.Write.Close()
		return nil, fmt.Errorf("sqlstore: opening %s: %w", file, err)
	}
	db.Read.SetMaxOpenConns(readers)
	db.Read.SetMaxIdleConns(readers)
	return db, nil
}

// Address is a file's URI, so that no character of its name is taken for an option.
func Address(file string) string { return "file:" + (&url.URL{Path: file}).EscapedPath() + "?" }

// Queries is how many queries have been asked since the store was opened. Statements that only write don't count, nor what
// is sent to PostgreSQL together.
func (db *DB) Queries() int64 { return db.queries.Load() }

// Close implements store.Maintenance.
func (db *DB) Close() error {
	db.Prepared.Range(func(_, stmt any) bool {
		stmt.(*sql.Stmt).Close()
		return true
	})
	if db.Read != db.Write {
		db.Read.Close()
	}
	return db.Write.Close()
}

// Ready implements store.Maintenance. Whoever asks wants to know it now, so that it is not tried again.
func (db *DB) Ready(ctx context.Context) error {
	var n int
	return db.Read.QueryRowContext(ctx, `SELECT count(*) FROM migrations`).Scan(&n)
}

// work counts transactions.
type work struct{ committed, failed atomic.Int64 }

func (w *work) note(err error) {
	if err != nil {
		w.failed.Add(1)
		return
	}
	w.committed.Add(1)
}

// Work implements store.StatsReader.
func (db *DB) TxStats() store.TxStats {
	stats := db.Write.Stats()
	return store.TxStats{Committed: db.work.committed.Load(), Failed: db.work.failed.Load(), Waits: stats.WaitCount, Waited: stats.WaitDuration.Microseconds()}
}
