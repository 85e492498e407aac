package sqldb

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/store"
)

// Scanner is a row, or the present one of several.
type Scanner interface{ Scan(dest ...any) error }

// Queries answers queries: the readers' connections, or a transaction.
type Queries interface {
	Rows(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	Row(ctx context.Context, query string, args ...any) Scanner
	NumbersIn(i int) string // of dialect
	TextsIn(i int) string
	RecordsByID() string
}

// statement prepares a query once for all readers of a file. PostgreSQL's driver does so itself, on each connection.
func (db *DB) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt, ok := db.Prepared.Load(query); ok {
		return stmt.(*sql.Stmt), nil
	}
	stmt, err := db.Read.PrepareContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %w in %s", err, query)
	}
	if other, had := db.Prepared.LoadOrStore(query, stmt); had {
		stmt.Close()
		return other.(*sql.Stmt), nil
	}
	return stmt, nil
}

func (db *DB) Rows(ctx context.Context, query string, args ...any) (rows *sql.Rows, err error) {
	db.queries.Add(1)
	if db.Config != nil {
		err = db.Retry(ctx, func() (err error) {
			rows, err = db.Read.QueryContext(ctx, query, args...)
			return err
		})
		return rows, err
	}
	stmt, err := db.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

func (db *DB) Row(ctx context.Context, query string, args ...any) Scanner {
	db.queries.Add(1)
	if db.Config != nil {
		return asked{db, ctx, query, args}
	}
	stmt, err := db.statement(ctx, query)
	if err != nil {
		return failed{err}
	}
	return FoundRow{stmt.QueryRowContext(ctx, args...)}
}

// asked is a row that is asked for when it is scanned, again where the server went away.
type asked struct {
	db    *DB
	ctx   context.Context
	query string
	args  []any
}

func (a asked) Scan(dest ...any) error {
	return a.db.Retry(a.ctx, func() error { return FoundRow{a.db.Read.QueryRowContext(a.ctx, a.query, a.args...)}.Scan(dest...) })
}

type failed struct{ err error }

func (f failed) Scan(...any) error { return f.err }

// FoundRow makes no row the store's own error.
type FoundRow struct{ row Scanner }

func (f FoundRow) Scan(dest ...any) error {
	err := f.row.Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
}

// OrNotFound is a row whose absence is the store's own error.
func OrNotFound(r Scanner) Scanner { return FoundRow{r} }

// ColumnBefore scans one column before those that a scan function knows.
func ColumnBefore(r Scanner, first any) Scanner { return columnsAround{r, []any{first}, nil} }

// ColumnsAfter scans columns after those that a scan function knows.
func ColumnsAfter(r Scanner, last []any) Scanner { return columnsAround{r, nil, last} }

type columnsAround struct {
	Scanner
	before, after []any
}

func (w columnsAround) Scan(dest ...any) error {
	return w.Scanner.Scan(slices.Concat(w.before, dest, w.after)...)
}

// Collect reads all rows.
func Collect[T any](rows *sql.Rows, err error, scan func(Scanner, *T) error) ([]T, error) {
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

// KeyOf writes an id as a database takes it: PostgreSQL has neither NUL nor lone surrogates. Two
// ids have two keys.
func KeyOf(id string) string {
	b := figs.AppendString(nil, id)
	return string(b[1 : len(b)-1])
}

// IDOf is the inverse of key.
func IDOf(key string) string { return string(jsonl.AppendKey(nil, []byte(`"`+key+`"`))) }

// CleanText is a text for columns that only show and filter; the record itself keeps what was written.
func CleanText(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// CutText shortens a text for an index.
func CutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

func BoolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// PageSize is a page's length within its bounds.
func PageSize(n int) int {
	if n <= 0 {
		return 50
	}
	return min(n, 200)
}

// Where collects conditions with their parameters.
type Where struct {
	SQL  string
	Args []any
}

func (w *Where) And(condition string, arg any) {
	w.Args = append(w.Args, arg)
	w.SQL += strings.ReplaceAll(condition, "$%d", "$"+strconv.Itoa(len(w.Args)))
}

// JSONList writes numbers or keys as the parameter of NumbersIn or TextsIn.
func JSONList[T int64 | string](items []T) string {
	text, err := json.Marshal(items)
	if err != nil || items == nil {
		return "[]" // neither kind can fail
	}
	return string(text)
}

// KindRun and KindAsk are records.kind; figs.File has the same numbers.
const (
	KindRun = int(figs.Runs)
	KindAsk = int(figs.Asks)
)

const RecordRowColumns = `no, kind, id, fold, versions, received_at, closed_at, state, at, mark`

func SortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
