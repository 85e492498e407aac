package sqlcopy

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// CopyTableName is the table with the progress of a copy. While it exists, the store is unfinished. Its row of kind
// "source" has the source's state; a row for each table ("table") has the number of rows copied and their hash; a row for
// each searched table ("words") has the number of rows indexed and the number of the last one; each row of kind "later" has
// a statement to run when all rows are copied.
const CopyTableName = "copying"

// prepare reads the progress of an earlier copy, or prepares an empty target.
func (c *copier) prepare(ctx context.Context) error {
	there, err := c.to.hasTable(ctx, c.conn, CopyTableName)
	if err != nil {
		return err
	}
	if !there {
		return c.start(ctx)
	}
	var mark string
	if err := c.conn.QueryRowContext(ctx, `SELECT value FROM `+CopyTableName+` WHERE kind = 'source'`).Scan(&mark); err != nil {
		return err
	}
	switch {
	case c.Restart:
		return c.restart(ctx)
	case mark != c.result.SourceState:
		return &store.SourceChangedError{}
	}
	return nil
}

// start drops indexes and references, which are created again after the rows, and creates the progress table, all in one
// transaction.
func (c *copier) start(ctx context.Context) error {
	if err := checkEmptyTables(ctx, c.conn, c.tables); err != nil {
		return err
	}
	rows, err := c.conn.QueryContext(ctx, c.to.CopyDialect().DeferredObjects())
	type later struct{ drop, make string }
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, l *later) error { return r.Scan(&l.drop, &l.make) })
	if err != nil {
		return err
	}
	err = c.inTx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `CREATE TABLE `+CopyTableName+` (kind TEXT NOT NULL, name TEXT NOT NULL, n BIGINT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, name))`); err != nil {
			return err
		}
		for i, l := range slices.Backward(all) { // references before the indexes they depend on
			if _, err := tx.ExecContext(ctx, l.drop); err != nil {
				return fmt.Errorf("%w in %s", err, l.drop)
			}
			if err := insertProgress(ctx, tx, "later", fmt.Sprint(i), int64(i), l.make); err != nil {
				return err
			}
		}
		return c.empty(ctx, tx)
	})
	if err == nil {
		return nil
	}
	if there, failed := c.to.hasTable(ctx, c.conn, CopyTableName); failed == nil && there { // another program was faster
		return errors.Join(store.ErrCopyInProgress, err)
	}
	return err
}

// checkEmptyTables returns *store.NotEmptyError if a table has rows, except for TransientTables.
func checkEmptyTables(ctx context.Context, q querier, tables []*copyTable) error {
	for _, t := range tables {
		var n int64
		if slices.Contains(TransientTables, t.Name) {
			continue
		}
		if err := q.QueryRowContext(ctx, `SELECT count(*) FROM `+t.Name).Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			return &store.NotEmptyError{Table: t.Name, Rows: n}
		}
	}
	return nil
}

// restart deletes what an earlier copy has written. Its deferred statements remain.
func (c *copier) restart(ctx context.Context) error {
	return c.inTx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM `+CopyTableName+` WHERE kind <> 'later'`); err != nil {
			return err
		}
		return c.empty(ctx, tx)
	})
}

// empty deletes every row, and resets the progress.
func (c *copier) empty(ctx context.Context, tx *sql.Tx) error {
	for _, statement := range c.to.CopyDialect().Empty(c.emptyOrder) {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%w in %s", err, statement)
		}
	}
	if err := insertProgress(ctx, tx, "source", "", 0, c.result.SourceState); err != nil {
		return err
	}
	for _, t := range c.tables {
		if err := insertProgress(ctx, tx, "table", t.Name, 0, ""); err != nil {
			return err
		}
	}
	for _, name := range sqldb.SortedNames(docSources) {
		if err := insertProgress(ctx, tx, "words", name, 0, "0"); err != nil {
			return err
		}
	}
	return nil
}

func insertProgress(ctx context.Context, tx *sql.Tx, kind, name string, n int64, value string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO `+CopyTableName+` (kind, name, n, value) VALUES ($1, $2, $3, $4)`, kind, name, n, value)
	return err
}

func (d Database) hasTable(ctx context.Context, q querier, name string) (there bool, err error) {
	err = q.QueryRowContext(ctx, d.CopyDialect().hasTable(), name).Scan(&there)
	return there, err
}
