// Package sqlstore keeps a store in SQLite or PostgreSQL, by package sqldb.
package sqlstore

import (
	"context"
	"fmt"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cache"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/account"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqlcopy"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// Store is a store.Store. Open one per database and program.
type Store struct {
	*sqldb.DB
	account.Accounts
	sqlcopy.Database                                            // to be copied into
	large, part      int                                        // from how many changes on a push is stored in parts, and how many a part has at most
	rosters          *cache.Cache[string, int64, *store.Roster] // by the workspace and its roster's number
	held             *cache.Cache[string, int64, *held]         // by the workspace and its changes
	pages            *cache.Cache[store.InboxQuery, pageVersion, []inboxRow]
	most             int // asks of a workspace that are held; 0: the usual number
	reports          reports
	snapshot         func(ctx context.Context, file string) error
}

var (
	_ store.Store  = (*Store)(nil)
	_ store.Copier = (*Store)(nil)
)

// OpenSQLite opens the database file, or makes it.
func OpenSQLite(ctx context.Context, file string) (*Store, error) {
	db, err := sqldb.OpenSQLite(ctx, file)
	if err != nil {
		return nil, err
	}
	s := &Store{DB: db, Accounts: account.Accounts{DB: db}, Database: sqlcopy.Database{DB: db}, snapshot: func(ctx context.Context, to string) error { return snapshotTo(ctx, file, to) }}
	return s.ready(ctx, file)
}

// PostgresOptions say how a database of PostgreSQL is used.
type PostgresOptions = sqldb.PostgresOptions

// OpenPostgres opens a database by its connection string, a URL or words.
func OpenPostgres(ctx context.Context, url string, o sqldb.PostgresOptions) (*Store, error) {
	db, err := sqldb.OpenPostgres(ctx, url, o)
	if err != nil {
		return nil, err
	}
	return ofServer(ctx, db)
}

// ofServer is the store that a database of PostgreSQL holds.
func ofServer(ctx context.Context, db *sqldb.DB) (*Store, error) {
	s := &Store{DB: db, Accounts: account.Accounts{DB: db}, Database: sqlcopy.Database{DB: db}}
	s.snapshot = s.snapshotPostgres
	return s.ready(ctx, "PostgreSQL")
}

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

// change is a transaction that writes, with what it does to counts that are kept.
type change struct {
	*sqldb.Tx
	s     *Store
	moved tally // by how many the agent's counts change
	beats pulse
	first first
}

// change runs f in one transaction, again when it lost against another or the server went away: f sets
// afresh whatever it sets outside of itself.
func (s *Store) change(ctx context.Context, f func(c *change) error) error {
	return s.Update(ctx, func(tx *sqldb.Tx) error {
		return f(&change{Tx: tx, s: s, moved: tally{}, beats: pulse{}, first: first{at: figs.NoTime}})
	})
}
