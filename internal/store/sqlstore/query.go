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
	numbersIn(i int) string // of dialect
	textsIn(i int) string
	recordsByID() string
}

// statement prepares a query once for all readers of a file. PostgreSQL's driver does so itself, on each connection.
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

func (s *Store) rows(ctx context.Context, query string, args ...any) (rows *sql.Rows, err error) {
	s.queries.Add(1)
	if s.config != nil {
		err = s.again(ctx, func() (err error) {
			rows, err = s.read.QueryContext(ctx, query, args...)
			return err
		})
		return rows, err
	}
	stmt, err := s.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

func (s *Store) row(ctx context.Context, query string, args ...any) scanner {
	s.queries.Add(1)
	if s.config != nil {
		return asked{s, ctx, query, args}
	}
	stmt, err := s.statement(ctx, query)
	if err != nil {
		return failed{err}
	}
	return found{stmt.QueryRowContext(ctx, args...)}
}

// asked is a row that is asked for when it is scanned, again where the server went away.
type asked struct {
	s     *Store
	ctx   context.Context
	query string
	args  []any
}

func (a asked) Scan(dest ...any) error {
	return a.s.again(a.ctx, func() error { return found{a.s.read.QueryRowContext(a.ctx, a.query, a.args...)}.Scan(dest...) })
}

type failed struct{ err error }

func (f failed) Scan(...any) error { return f.err }

// found makes no row the store's own error.
type found struct{ row scanner }

func (f found) Scan(dest ...any) error {
	err := f.row.Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
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
	return all, tornOr(rows.Err())
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
