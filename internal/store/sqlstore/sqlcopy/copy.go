// Package sqlcopy copies the database of a store row by row into another one, of either kind, and verifies the copy.
package sqlcopy

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// NotCopied are the tables that aren't copied, with the reason. All others are, without being listed anywhere.
var NotCopied = map[string]string{
	"migrations":     "each database has gone its own steps; that they are the same ones is asked",
	"counters":       "numbers are handed out by each database in its own way (lastNumber)",
	"search":         "each database indexes words in its own way; they are read again from what was copied (docSources)",
	"fates":          "they are of connections to one PostgreSQL",
	"migration_lock": "it is a lock, and nothing else",
	"locks":          "they are locks, and nothing else",
	CopyTableName:    "it is the copy's own, and gone at its end",
}

// TransientTables are tables that can have rows in an empty store, written by a server that was started on it. They are
// emptied.
var TransientTables = []string{"setups", "chores", "attempts"}

// Database is a database that another one can be copied into.
type Database struct{ *sqldb.DB }

// copier is a call of CopyFrom.
type copier struct {
	store.CopyOptions
	from, to    Database
	tx          *sql.Tx   // snapshot of the source
	conn        *sql.Conn // of the target
	tables      []*copyTable
	emptyOrder  []string // tables of the target, in an order in which they can be emptied
	result      *store.CopyResult
	mutex       sync.Mutex // for the following fields
	done, total int64
}

// CopyFrom implements store.Copier.
func (d Database) CopyFrom(ctx context.Context, from store.Store, o store.CopyOptions) (*store.CopyResult, error) {
	source, ok := from.(interface{ copySource() Database })
	if !ok {
		return nil, fmt.Errorf("sqlstore: can't copy from a %T", from)
	}
	c := &copier{CopyOptions: o, from: source.copySource(), to: d, result: &store.CopyResult{}}
	err := c.run(ctx)
	switch {
	case err == nil:
		return c.result, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, sqldb.WrapDiskFull(err)
}

// copyDialect is the differences between the databases when copying. Its methods without errors return SQL.
type copyDialect interface {
	columns() string                // of every table: table, column, type, position in the primary key or 0
	parents() string                // pairs of a table and a table that it references
	DeferredObjects() string        // pairs of statements that drop and create what is faster to create after the rows, in order of creation
	Empty(tables []string) []string // empty the tables and the search index
	hasTable() string               // name is $1
	size() string                   // size of the database in bytes
	otherConnections() string       // number of connections of other figs-web programs
	LastNumber() string             // last number taken by TakeNumbers
	setNumber() string              // the next numbers follow $1
	longReadSettings() []string     // before a long transaction for reading
	// writeSettings returns statements for before and after writing. After a power loss, the last batches may be missing,
	// together with their progress.
	writeSettings() (before, after []string)
	writeRows(ctx context.Context, c *copier, tx *sql.Tx, t *copyTable, rows [][]any) error
	writeDocs(ctx context.Context, c *copier, tx *sql.Tx, docs []sqldb.Doc) error
}

func (d Database) CopyDialect() copyDialect {
	if d.Name() == "postgres" {
		return postgresCopy{}
	}
	return sqliteCopy{}
}

func (d Database) copySource() Database { return d }

// BeginRead begins a transaction for reading a consistent snapshot, which can take long.
func (d Database) BeginRead(ctx context.Context) (*sql.Tx, error) {
	tx, err := d.Read.BeginTx(ctx, d.ReadTxOptions())
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %w", err)
	}
	for _, statement := range d.CopyDialect().longReadSettings() {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			tx.Rollback()
			return nil, fmt.Errorf("sqlstore: %w", err)
		}
	}
	return tx, nil
}

func (c *copier) run(ctx context.Context) (err error) {
	if c.tx, err = c.from.BeginRead(ctx); err != nil {
		return err
	}
	defer c.tx.Rollback()
	if c.conn, err = c.to.Write.Conn(ctx); err != nil {
		return err
	}
	defer c.conn.Close()
	if err := c.compareSchemas(ctx); err != nil {
		return err
	}
	if c.result.SourceState, err = SourceState(ctx, c.tx); err != nil {
		return err
	}
	before, after := c.to.CopyDialect().writeSettings()
	for _, statement := range before {
		if _, err := c.conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	defer func() {
		for _, statement := range after {
			if _, failed := c.conn.ExecContext(context.WithoutCancel(ctx), statement); err == nil {
				err = failed
			}
		}
	}()
	for _, step := range []func(context.Context) error{c.prepare, c.countRows, c.copyAll, c.indexWords, c.setNumber, c.createDeferred, c.analyze, c.verify} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *copier) progress(n int64) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.done += n; c.Progress != nil {
		c.Progress(min(c.done, c.total), c.total)
	}
}

// countRows computes the total for Progress: each row is copied and verified, and some are indexed.
func (c *copier) countRows(ctx context.Context) error {
	for _, t := range c.tables {
		var n int64
		if err := c.tx.QueryRowContext(ctx, `SELECT count(*) FROM `+t.Name).Scan(&n); err != nil {
			return err
		}
		c.total += 2 * n
		if docSources[t.Name] != nil {
			c.total += n
		}
	}
	return nil
}

func (c *copier) copyAll(ctx context.Context) error {
	for _, t := range c.tables {
		if err := c.copyRows(ctx, t); err != nil {
			return fmt.Errorf("copying %s: %w", t.Name, err)
		}
	}
	return nil
}

// setNumber makes the target take numbers after those of the source.
func (c *copier) setNumber(ctx context.Context) error {
	var last int64
	if err := c.tx.QueryRowContext(ctx, c.from.CopyDialect().LastNumber()).Scan(&last); err != nil {
		return err
	}
	_, err := c.conn.ExecContext(ctx, c.to.CopyDialect().setNumber(), max(last, 1))
	return err
}

// createDeferred creates the indexes and references that were dropped, which takes a fraction of the time when all rows
// exist. Each is one transaction with its progress.
func (c *copier) createDeferred(ctx context.Context) error {
	for {
		var no int64
		var statement string
		err := c.conn.QueryRowContext(ctx, `SELECT n, value FROM `+CopyTableName+` WHERE kind = 'later' ORDER BY n LIMIT 1`).Scan(&no, &statement)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil {
			err = c.inTx(ctx, func(tx *sql.Tx) error {
				if _, err := tx.ExecContext(ctx, statement); err != nil {
					return fmt.Errorf("%w in %s", err, statement)
				}
				return checkOneRow(tx.ExecContext(ctx, `DELETE FROM `+CopyTableName+` WHERE kind = 'later' AND n = $1`, no))
			})
		}
		if err != nil {
			return err
		}
	}
}

// analyze updates PostgreSQL's statistics before the first query.
func (c *copier) analyze(ctx context.Context) error {
	if c.to.Name() != "postgres" {
		return nil
	}
	for _, t := range append(slices.Clone(c.emptyOrder), "search") {
		if _, err := c.conn.ExecContext(ctx, `ANALYZE `+t); err != nil {
			return err
		}
	}
	return nil
}

// verify reads every table of the copy and compares it with what was read from the source.
func (c *copier) verify(ctx context.Context) error {
	tx, err := c.to.BeginRead(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, t := range c.tables {
		h := sha256.New()
		rows := int64(0)
		err := t.eachRow(ctx, tx, func(row []any, packed []byte) error {
			h.Write(packed)
			rows++
			c.progress(1)
			return nil
		})
		if err != nil {
			return err
		}
		was := c.result.Tables[slices.IndexFunc(c.result.Tables, func(x store.CopiedTable) bool { return x.Name == t.Name })]
		if rows != was.Rows || hashState(h) != was.SHA256 {
			return &store.CopyMismatchError{Table: t.Name}
		}
	}
	return nil
}

// FinishCopy implements store.Copier.
func (d Database) FinishCopy(ctx context.Context) error {
	if _, err := d.Write.ExecContext(ctx, `DROP TABLE `+CopyTableName); err != nil {
		return sqldb.WrapDiskFull(fmt.Errorf("sqlstore: %w", err))
	}
	return nil
}

// CheckFinished implements store.Copier.
func (d Database) CheckFinished(ctx context.Context) error {
	there, err := d.hasTable(ctx, d.Write, CopyTableName)
	if err == nil && there {
		err = &store.UnfinishedCopyError{}
	}
	return err
}

// CheckEmpty implements store.Copier.
func (d Database) CheckEmpty(ctx context.Context) error {
	there, err := d.hasTable(ctx, d.Write, CopyTableName)
	if err != nil || there {
		return err
	}
	tables, err := d.TablesOf(ctx, d.Write)
	if err != nil {
		return err
	}
	return checkEmptyTables(ctx, d.Write, tables)
}

// OtherConnections implements store.Copier.
func (d Database) OtherConnections(ctx context.Context) (n int, err error) {
	return n, d.Row(ctx, d.CopyDialect().otherConnections()).Scan(&n)
}

// Bytes implements store.Copier.
func (d Database) Bytes(ctx context.Context) (n int64, err error) {
	return n, d.Row(ctx, d.CopyDialect().size()).Scan(&n)
}

// SourceState returns a hash of the Seqs of all workspaces and of all audit chains. It changes with every write, and
// differs between stores.
func SourceState(ctx context.Context, tx *sql.Tx) (string, error) {
	h := sha256.New()
	for _, query := range []string{
		`SELECT id, seq, created_at FROM workspaces ORDER BY id`,
		`SELECT hash, n, 0 FROM chains ORDER BY workspace`,
	} {
		rows, err := tx.QueryContext(ctx, query)
		if err != nil {
			return "", err
		}
		for rows.Next() {
			var text string
			var n, m int64
			if err := rows.Scan(&text, &n, &m); err != nil {
				rows.Close()
				return "", err
			}
			fmt.Fprintf(h, "%q %d %d\n", text, n, m)
		}
		if err := rows.Err(); err != nil {
			return "", err
		}
		fmt.Fprintln(h)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
