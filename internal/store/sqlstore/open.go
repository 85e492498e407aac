// Package sqlstore implements store.Store on SQLite and PostgreSQL, using package sqldb.
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

// Store is a store.Store. A program opens one per database.
type Store struct {
	*sqldb.DB
	account.Accounts
	sqlcopy.Database                                                                // as the target of a copy
	largePush, partSize int                                                         // from how many changes a push is stored in parts, and the size of a part
	rosters             *cache.Cache[string, int64, *store.Roster]                  // by workspace, with the roster's version
	figures             *cache.Cache[string, int64, map[string]store.AgentFigures]  // by workspace, with its Seq
	inboxes             *cache.Cache[string, int64, *inboxData]                     // by workspace, with its number of changes
	reported            *cache.Cache[reportedQuery, reportedVersion, *reportedList] // over all workspaces
	pages               *cache.Cache[store.InboxQuery, pageVersion, []inboxRow]
	maxOpen             int // how many open asks of a workspace are cached; 0 for the default
	reports             reportCache
	snapshot            func(ctx context.Context, file string) error
}

var (
	_ store.Store  = (*Store)(nil)
	_ store.Copier = (*Store)(nil)
)

// OpenSQLite opens or creates the database file.
func OpenSQLite(ctx context.Context, file string) (*Store, error) {
	db, err := sqldb.OpenSQLite(ctx, file)
	if err != nil {
		return nil, err
	}
	s := &Store{DB: db, Accounts: account.Accounts{DB: db}, Database: sqlcopy.Database{DB: db}, snapshot: func(ctx context.Context, to string) error { return snapshotTo(ctx, file, to) }}
	return s.finishOpen(ctx, file)
}

// PostgresOptions are options for PostgreSQL.
type PostgresOptions = sqldb.PostgresOptions

// OpenPostgres connects to a PostgreSQL database, given by a URL or a connection string.
func OpenPostgres(ctx context.Context, url string, o sqldb.PostgresOptions) (*Store, error) {
	db, err := sqldb.OpenPostgres(ctx, url, o)
	if err != nil {
		return nil, err
	}
	return newPostgresStore(ctx, db)
}

// newPostgresStore returns a store on a PostgreSQL database.
func newPostgresStore(ctx context.Context, db *sqldb.DB) (*Store, error) {
	s := &Store{DB: db, Accounts: account.Accounts{DB: db}, Database: sqlcopy.Database{DB: db}}
	s.snapshot = s.snapshotPostgres
	return s.finishOpen(ctx, "PostgreSQL")
}

// finishOpen creates the caches, and derives what a migration step left to the program.
func (s *Store) finishOpen(ctx context.Context, name string) (*Store, error) {
	s.largePush, s.partSize = largePush, largePart
	s.initCaches()
	if err := s.backfill(ctx); err != nil {
		s.Close()
		return nil, fmt.Errorf("sqlstore: %s: %w", name, err)
	}
	return s, nil
}

// storeTx is a write transaction, with its changes to the counts.
type storeTx struct {
	*sqldb.Tx
	s         *Store
	deltas    countDeltas // changes of the agent's counts
	activity  activityCounts
	firstLine firstLine
}

// update runs f in a transaction, and retries it after a conflict or a lost connection. So f can run more than once, and
// must initialize everything it sets outside of itself.
func (s *Store) update(ctx context.Context, f func(c *storeTx) error) error {
	return s.Update(ctx, func(tx *sqldb.Tx) error {
		return f(&storeTx{Tx: tx, s: s, deltas: countDeltas{}, activity: activityCounts{}, firstLine: firstLine{at: figs.NoTime}})
	})
}
