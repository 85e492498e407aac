package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/store"
)

// scanner is a row, or the present one of several.
type scanner interface{ Scan(dest ...any) error }

// asker answers queries: the readers' connections, or a transaction.
type asker interface {
	rows(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	row(ctx context.Context, query string, args ...any) scanner
}

// statement prepares a query once for all readers.
func (s *Store) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt, ok := s.prepared.Load(query); ok {
		return stmt.(*sql.Stmt), nil
	}
	stmt, err := s.read.PrepareContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %w in %s", err, query)
	}
	if other, had := s.prepared.LoadOrStore(query, stmt); had {
		stmt.Close()
		return other.(*sql.Stmt), nil
	}
	return stmt, nil
}

func (s *Store) rows(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := s.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

func (s *Store) row(ctx context.Context, query string, args ...any) scanner {
	stmt, err := s.statement(ctx, query)
	if err != nil {
		return failed{err}
	}
	return found{stmt.QueryRowContext(ctx, args...)}
}

type failed struct{ err error }

func (f failed) Scan(...any) error { return f.err }

// found makes no row the store's own error.
type found struct{ row *sql.Row }

func (f found) Scan(dest ...any) error {
	err := f.row.Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
}

// change is a transaction that writes.
type change struct {
	*sql.Tx
	s        *Store
	prepared map[string]*sql.Stmt // what runs more than once; nil after the first time
	moved    tally                // by how many the agent's counts change
	beats    pulse
	first    first
}

func (c *change) rows(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return c.QueryContext(ctx, query, args...)
}

func (c *change) row(ctx context.Context, query string, args ...any) scanner {
	return found{c.QueryRowContext(ctx, query, args...)}
}

// do runs one statement and returns how many rows it touched.
func (c *change) do(ctx context.Context, query string, args ...any) (int64, error) {
	stmt, before := c.prepared[query]
	var result sql.Result
	var err error
	switch {
	case !before: // most statements run once
		c.prepared[query] = nil
		result, err = c.ExecContext(ctx, query, args...)
	case stmt == nil:
		if stmt, err = c.PrepareContext(ctx, query); err == nil { // the transaction closes it
			c.prepared[query] = stmt
			result, err = stmt.ExecContext(ctx, args...)
		}
	default:
		result, err = stmt.ExecContext(ctx, args...)
	}
	if err != nil {
		return 0, fmt.Errorf("%w in %s", err, query)
	}
	return result.RowsAffected()
}

// insert adds rows; every row has as many values as there are columns.
func (c *change) insert(ctx context.Context, table, columns string, rows [][]any) error {
	names := strings.Split(columns, ", ")
	width := len(names)
	for len(rows) > 0 {
		n := min(len(rows), max(1, min(c.s.batch(), 60_000/width)))
		stmt, err := c.PrepareContext(ctx, c.s.insertSQL(table, names, n))
		if err != nil {
			return fmt.Errorf("%w in an insert into %s", err, table)
		}
		var args []any
		for len(rows) >= n {
			args = args[:0]
			for _, row := range rows[:n] {
				args = append(args, row...)
			}
			if _, err := stmt.ExecContext(ctx, args...); err != nil {
				stmt.Close()
				return fmt.Errorf("%w in an insert into %s", err, table)
			}
			rows = rows[n:]
		}
		stmt.Close()
	}
	return nil
}

func (s *Store) insertSQL(table string, columns []string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "INSERT INTO %s (%s) VALUES ", table, strings.Join(columns, ", "))
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('(')
		for k, column := range columns {
			if k > 0 {
				b.WriteByte(',')
			}
			b.WriteString(s.value(column, i*len(columns)+k+1))
		}
		b.WriteByte(')')
	}
	return b.String()
}

// change runs f in one transaction, again when it lost against another.
func (s *Store) change(ctx context.Context, f func(c *change) error) error {
	const tries = 10
	for i := 1; ; i++ {
		err := s.changeOnce(ctx, f)
		if err == nil || i == tries || !s.again(err) {
			return err
		}
	}
}

// Trace has begun called with the context of each transaction that writes, and what that returns
// once it has ended. Call it before the store is used.
func (s *Store) Trace(begun func(ctx context.Context) (end func(error))) { s.trace = begun }

func (s *Store) changeOnce(ctx context.Context, f func(c *change) error) (err error) {
	defer func() { s.work.note(err) }()
	if s.trace != nil {
		end := s.trace(ctx)
		defer func() { end(err) }()
	}
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	defer tx.Rollback() // after Commit it does nothing
	if err := f(&change{Tx: tx, s: s, prepared: map[string]*sql.Stmt{}, moved: tally{}, beats: pulse{}, first: first{at: figs.NoTime}}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	return nil
}

// collect reads all rows.
func collect[T any](rows *sql.Rows, err error, scan func(scanner, *T) error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var item T
		if err := scan(rows, &item); err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	return all, rows.Err()
}

// bump gives a workspace its next number. The row stays locked until the commit, so that
// numbers become visible in their order. In a deleted workspace nothing changes any more.
func (c *change) bump(ctx context.Context, workspace string) (seq int64, err error) {
	err = c.row(ctx, `UPDATE workspaces SET seq = seq + 1 WHERE id = $1 AND deleted_at = 0 RETURNING seq`, workspace).Scan(&seq)
	return seq, err
}

// key writes an id as a database takes it: PostgreSQL has neither NUL nor lone surrogates. Two
// ids have two keys.
func key(id string) string {
	b := figs.AppendString(nil, id)
	return string(b[1 : len(b)-1])
}

// idOf is the inverse of key.
func idOf(key string) string { return string(jsonl.AppendKey(nil, []byte(`"`+key+`"`))) }

// clean is a text for columns that only show and filter; the record itself keeps what was written.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// cut shortens a text for an index.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// size is a page's length within its bounds.
func size(n int) int {
	if n <= 0 {
		return 50
	}
	return min(n, 200)
}
