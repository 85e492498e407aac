// Package sqlstore keeps a store in SQLite or PostgreSQL. The queries are the same; what
// differs between the two is in dialect.go and in the migrations that name one of them.
package sqlstore

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

	"github.com/figs-web/figs-web/internal/cache"
	"github.com/figs-web/figs-web/internal/store"
)

// Store is a store.Store. Open one per database and program.
type Store struct {
	read, write *sql.DB         // one and the same on PostgreSQL
	config      *pgx.ConnConfig // nil for a file
	patience    time.Duration   // for a database that does not answer
	large, part int             // from how many changes on a push is stored in parts, and how many a part has at most
	dialect
	prepared sync.Map // statements for reading, by query
	queries  atomic.Int64
	rosters  *cache.Cache[string, int64, *store.Roster] // by the workspace and its roster's number
	held     *cache.Cache[string, int64, *held]         // by the workspace and its changes
	pages    *cache.Cache[store.InboxQuery, pageVersion, []inboxRow]
	most     int // asks of a workspace that are held; 0: the usual number
	reports  reports
	work     work
	trace    func(ctx context.Context) (end func(error)) // told of each transaction that writes; may be nil
	snapshot func(ctx context.Context, file string) error
}

var _ store.Store = (*Store)(nil)

// readers is how many connections of SQLite read at a time, beside the one that writes.
const readers = 4

// OpenSQLite opens the database file, or makes it.
func OpenSQLite(ctx context.Context, file string) (*Store, error) {
	s := &Store{dialect: sqlite{}, snapshot: func(ctx context.Context, to string) error { return snapshotTo(ctx, file, to) }}
	// What was acknowledged is on disk also when the machine loses power: synchronous is full.
	const both = "_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)&_pragma=journal_mode(wal)&_pragma=synchronous(full)&_pragma=temp_store(memory)"
	var err error
	// 12 MB of pages, so that pages that a large push changes again and again aren't written to the log each time.
	const writer = "&_pragma=secure_delete(1)&_pragma=cache_size(-12000)&_txlock=immediate"
	// What is deleted is overwritten, so that what was erased is not left in a free part of the file.
	if s.write, err = sql.Open("sqlite", address(file)+both+writer); err != nil {
		return nil, fmt.Errorf("sqlstore: opening %s: %w", file, err)
	}
	s.write.SetMaxOpenConns(1)
	if err := s.migrate(ctx); err != nil {
		s.write.Close()
		return nil, fmt.Errorf("sqlstore: %s: %w", file, err)
	}
	if s.read, err = sql.Open("sqlite", address(file)+both+"&_pragma=query_only(1)"); err != nil {
		s.write.Close()
		return nil, fmt.Errorf("sqlstore: opening %s: %w", file, err)
	}
	s.read.SetMaxOpenConns(readers)
	s.read.SetMaxIdleConns(readers)
	return s.ready(ctx, file)
}

// address is a file's URI, so that no character of its name is taken for an option.
func address(file string) string { return "file:" + (&url.URL{Path: file}).EscapedPath() + "?" }

// ready does what a step of the migration left to the program.
func (s *Store) ready(ctx context.Context, name string) (*Store, error) {
	s.large, s.part = largePush, largePart
	s.emptyCaches()
	if err := s.chores(ctx); err != nil {
		s.Close()
		return nil, fmt.Errorf("sqlstore: %s: %w", name, err)
	}
	return s, nil
}

// Queries is how many queries have been asked since the store was opened. Statements that only write don't count, nor what
// is sent to PostgreSQL together.
func (s *Store) Queries() int64 { return s.queries.Load() }

// Close implements store.Keeper.
func (s *Store) Close() error {
	s.prepared.Range(func(_, stmt any) bool {
		stmt.(*sql.Stmt).Close()
		return true
	})
	if s.read != s.write {
		s.read.Close()
	}
	return s.write.Close()
}

// Ready implements store.Keeper. Whoever asks wants to know it now, so that it is not tried again.
func (s *Store) Ready(ctx context.Context) error {
	var n int
	return s.read.QueryRowContext(ctx, `SELECT count(*) FROM migrations`).Scan(&n)
}
