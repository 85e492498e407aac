// Package sqlcopy copies one database of a store into another one, of either kind, row by row, and proves that both hold the
// same.
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

// NotCopied are the tables that a copy makes for itself, each with the reason. Every other one is
// copied, row by row, without being named anywhere.
var NotCopied = map[string]string{
	"migrations":     "each database has gone its own steps; that they are the same ones is asked",
	"counters":       "numbers are handed out by each database in its own way (lastNumber)",
	"search":         "each database indexes words in its own way; they are read again from what was copied (docSources)",
	"fates":          "they are of connections to one PostgreSQL",
	"migration_lock": "it is a lock, and nothing else",
	"locks":          "they are locks, and nothing else",
	CopyTableName:    "it is the copy's own, and gone at its end",
}

// Passing are the tables that may hold rows in a store that is empty: what a program that was started
// over it has written before anybody came. They are emptied.
var Passing = []string{"setups", "chores", "attempts"}

// Database is a database that another one can be copied into.
type Database struct{ *sqldb.DB }

// copying is one call of CopyFrom.
type copying struct {
	store.CopyOptions
	from, to    Database
	tx          *sql.Tx   // of the source, at one moment
	conn        *sql.Conn // of the target
	tables      []*copyTable
	left        []string // tables of the target in the order in which they can be emptied
	copied      *store.CopyResult
	mutex       sync.Mutex // of what follows
	done, total int64
}

// CopyFrom implements store.Copier.
func (d Database) CopyFrom(ctx context.Context, from store.Store, o store.CopyOptions) (*store.CopyResult, error) {
	source, ok := from.(interface{ copySource() Database })
	if !ok {
		return nil, fmt.Errorf("sqlstore: copying out of a %T is not known", from)
	}
	c := &copying{CopyOptions: o, from: source.copySource(), to: d, copied: &store.CopyResult{}}
	err := c.run(ctx)
	switch {
	case err == nil:
		return c.copied, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, sqldb.WrapDiskFull(err)
}

// copyDialect is where the two databases differ in being copied.
type copyDialect interface {
	columns() string                // of every table: its name, the column's, its type, its place in the primary key or 0
	parents() string                // pairs of tables, of which the first one's rows point to the other's
	Later() string                  // what costs less when all rows are there: how it is dropped, and how it is made, in the order in which it can be made
	Empty(tables []string) []string // statements that empty tables, and the index of words
	hasTable() string               // with the name as $1
	size() string                   // of the database, in bytes
	others() string                 // connections of other programs of ours
	LastNumber() string             // the newest number that was handed out
	setNumber() string              // behind $1 come the next ones
	patient() []string              // what a transaction that reads is told first, since it may wait for long
	// pace is what a connection that copies is told first, and at its end: after a loss of power the last
	// batches may be missing, together with the note that they are there.
	pace() (hasty, careful []string)
	writeRows(ctx context.Context, c *copying, tx *sql.Tx, t *copyTable, rows [][]any) error
	writeDocs(ctx context.Context, c *copying, tx *sql.Tx, docs []sqldb.Doc) error
}

func (d Database) Copies() copyDialect {
	if d.Name() == "postgres" {
		return postgresCopy{}
	}
	return sqliteCopy{}
}

func (d Database) copySource() Database { return d }

// Moment begins a transaction that reads one moment, for as long as it takes.
func (d Database) Moment(ctx context.Context) (*sql.Tx, error) {
	tx, err := d.Read.BeginTx(ctx, d.ReadTxOptions())
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %w", err)
	}
	for _, statement := range d.Copies().patient() {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			tx.Rollback()
			return nil, fmt.Errorf("sqlstore: %w", err)
		}
	}
	return tx, nil
}

func (c *copying) run(ctx context.Context) (err error) {
	if c.tx, err = c.from.Moment(ctx); err != nil {
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
	if c.copied.SourceState, err = StandingOf(ctx, c.tx); err != nil {
		return err
	}
	hasty, careful := c.to.Copies().pace()
	for _, statement := range hasty {
		if _, err := c.conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	defer func() {
		for _, statement := range careful {
			if _, failed := c.conn.ExecContext(context.WithoutCancel(ctx), statement); err == nil {
				err = failed
			}
		}
	}()
	for _, step := range []func(context.Context) error{c.begin, c.count, c.copyAll, c.indexWords, c.setNumber, c.makeLater, c.analyze, c.prove} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *copying) step(n int64) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.done += n; c.Progress != nil {
		c.Progress(min(c.done, c.total), c.total)
	}
}

// count looks how much there is to do: each row is copied and proved, and some are indexed.
func (c *copying) count(ctx context.Context) error {
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

func (c *copying) copyAll(ctx context.Context) error {
	for _, t := range c.tables {
		if err := c.copyTable(ctx, t); err != nil {
			return fmt.Errorf("copying %s: %w", t.Name, err)
		}
	}
	return nil
}

// setNumber has the target hand out numbers behind those that the source has handed out.
func (c *copying) setNumber(ctx context.Context) error {
	var last int64
	if err := c.tx.QueryRowContext(ctx, c.from.Copies().LastNumber()).Scan(&last); err != nil {
		return err
	}
	_, err := c.conn.ExecContext(ctx, c.to.Copies().setNumber(), max(last, 1))
	return err
}

// makeLater makes the indexes and the references that were dropped: made at once over all rows they
// cost a fraction. Each is one transaction with the note that it is due.
func (c *copying) makeLater(ctx context.Context) error {
	for {
		var no int64
		var statement string
		err := c.conn.QueryRowContext(ctx, `SELECT n, value FROM `+CopyTableName+` WHERE kind = 'later' ORDER BY n LIMIT 1`).Scan(&no, &statement)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil {
			err = c.within(ctx, func(tx *sql.Tx) error {
				if _, err := tx.ExecContext(ctx, statement); err != nil {
					return fmt.Errorf("%w in %s", err, statement)
				}
				return one(tx.ExecContext(ctx, `DELETE FROM `+CopyTableName+` WHERE kind = 'later' AND n = $1`, no))
			})
		}
		if err != nil {
			return err
		}
	}
}

// analyze tells the planner of PostgreSQL what is in the tables, before the first query comes.
func (c *copying) analyze(ctx context.Context) error {
	if c.to.Name() != "postgres" {
		return nil
	}
	for _, t := range append(slices.Clone(c.left), "search") {
		if _, err := c.conn.ExecContext(ctx, `ANALYZE `+t); err != nil {
			return err
		}
	}
	return nil
}

// prove reads every table of the copy and holds it against what was read from the source.
func (c *copying) prove(ctx context.Context) error {
	tx, err := c.to.Moment(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, t := range c.tables {
		h := sha256.New()
		rows := int64(0)
		err := t.each(ctx, tx, func(row []any, packed []byte) error {
			h.Write(packed)
			rows++
			c.step(1)
			return nil
		})
		if err != nil {
			return err
		}
		was := c.copied.Tables[slices.IndexFunc(c.copied.Tables, func(x store.CopiedTable) bool { return x.Name == t.Name })]
		if rows != was.Rows || stateOf(h) != was.SHA256 {
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
	return emptyStore(ctx, d.Write, tables)
}

// OtherConnections implements store.Copier.
func (d Database) OtherConnections(ctx context.Context) (n int, err error) {
	return n, d.Row(ctx, d.Copies().others()).Scan(&n)
}

// Bytes implements store.Copier.
func (d Database) Bytes(ctx context.Context) (n int64, err error) {
	return n, d.Row(ctx, d.Copies().size()).Scan(&n)
}

// StandingOf returns a hash of the sequence numbers of each workspace and each audit. It changes with every write, and
// differs between stores.
func StandingOf(ctx context.Context, tx *sql.Tx) (string, error) {
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
