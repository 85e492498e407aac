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

// CopyTableName is the table that says how far a copy is. As long as it is there, the store is not
// whole. Of its rows one is of the kind "source", with its mark; one for each table ("table") and
// each table that is searched ("words") say how many rows are there, and what their hash is or the last
// one's number; and "later" is a statement that is due when all rows are there.
const CopyTableName = "copying"

// begin finds out how far the target is. An empty one is made ready.
func (c *copying) begin(ctx context.Context) error {
	there, err := c.to.hasTable(ctx, c.conn, CopyTableName)
	if err != nil {
		return err
	}
	if !there {
		return c.beginAnew(ctx)
	}
	var mark string
	if err := c.conn.QueryRowContext(ctx, `SELECT value FROM `+CopyTableName+` WHERE kind = 'source'`).Scan(&mark); err != nil {
		return err
	}
	switch {
	case c.Restart:
		return c.beginAgain(ctx)
	case mark != c.copied.SourceState:
		return &store.SourceChangedError{}
	}
	return nil
}

// beginAnew drops indexes and references, which are made when the rows are there, and notes that
// there is a copy now: all of it at once, or nothing.
func (c *copying) beginAnew(ctx context.Context) error {
	if err := emptyStore(ctx, c.conn, c.tables); err != nil {
		return err
	}
	rows, err := c.conn.QueryContext(ctx, c.to.Copies().Later())
	type later struct{ drop, make string }
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, l *later) error { return r.Scan(&l.drop, &l.make) })
	if err != nil {
		return err
	}
	err = c.within(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `CREATE TABLE `+CopyTableName+` (kind TEXT NOT NULL, name TEXT NOT NULL, n BIGINT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, name))`); err != nil {
			return err
		}
		for i, l := range slices.Backward(all) { // references before the indexes that they rest on
			if _, err := tx.ExecContext(ctx, l.drop); err != nil {
				return fmt.Errorf("%w in %s", err, l.drop)
			}
			if err := note(ctx, tx, "later", fmt.Sprint(i), int64(i), l.make); err != nil {
				return err
			}
		}
		return c.Empty(ctx, tx)
	})
	if err == nil {
		return nil
	}
	if there, failed := c.to.hasTable(ctx, c.conn, CopyTableName); failed == nil && there { // another program was quicker
		return errors.Join(store.ErrCopyInProgress, err)
	}
	return err
}

// emptyStore reports the first table that has rows which somebody would miss.
func emptyStore(ctx context.Context, q querier, tables []*copyTable) error {
	for _, t := range tables {
		var n int64
		if slices.Contains(Passing, t.Name) {
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

// beginAgain removes what an earlier copy has brought. Its indexes are due still, or there.
func (c *copying) beginAgain(ctx context.Context) error {
	return c.within(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM `+CopyTableName+` WHERE kind <> 'later'`); err != nil {
			return err
		}
		return c.Empty(ctx, tx)
	})
}

// Empty removes every row, and notes of which source rows will come.
func (c *copying) Empty(ctx context.Context, tx *sql.Tx) error {
	for _, statement := range c.to.Copies().Empty(c.left) {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%w in %s", err, statement)
		}
	}
	if err := note(ctx, tx, "source", "", 0, c.copied.SourceState); err != nil {
		return err
	}
	for _, t := range c.tables {
		if err := note(ctx, tx, "table", t.Name, 0, ""); err != nil {
			return err
		}
	}
	for _, name := range sqldb.SortedNames(docSources) {
		if err := note(ctx, tx, "words", name, 0, "0"); err != nil {
			return err
		}
	}
	return nil
}

func note(ctx context.Context, tx *sql.Tx, kind, name string, n int64, value string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO `+CopyTableName+` (kind, name, n, value) VALUES ($1, $2, $3, $4)`, kind, name, n, value)
	return err
}

func (d Database) hasTable(ctx context.Context, q querier, name string) (there bool, err error) {
	err = q.QueryRowContext(ctx, d.Copies().hasTable(), name).Scan(&there)
	return there, err
}
