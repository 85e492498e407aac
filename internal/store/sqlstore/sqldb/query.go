package sqldb

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/store"
)

// Scanner is a row.
type Scanner interface{ Scan(dest ...any) error }

// Queries runs queries, on the connections for reading or in a transaction.
type Queries interface {
	Rows(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	Row(ctx context.Context, query string, args ...any) Scanner
	NumbersIn(i int) string // of Dialect
	TextsIn(i int) string
	RecordsByID() string
}

// boundLimit is a limit that is a parameter. SQLite plans with its value, and so would prepare the statement again each time
// it is bound; it doesn't for an expression.
var boundLimit = regexp.MustCompile(`LIMIT (\$\d+)`)

// statement prepares a query once for all connections to SQLite. PostgreSQL's driver does this itself on each connection.
func (db *DB) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt, ok := db.Prepared.Load(query); ok {
		return stmt.(*sql.Stmt), nil
	}
	stmt, err := db.Read.PrepareContext(ctx, boundLimit.ReplaceAllString(query, "LIMIT 0+$1"))
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
	db.queryCount.Add(1)
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
	db.queryCount.Add(1)
	if db.Config != nil {
		return retriedRow{db, ctx, query, args}
	}
	stmt, err := db.statement(ctx, query)
	if err != nil {
		return errorRow{err}
	}
	return NotFoundRow{stmt.QueryRowContext(ctx, args...)}
}

// retriedRow runs its query when it is scanned, and retries it if the connection was lost.
type retriedRow struct {
	db    *DB
	ctx   context.Context
	query string
	args  []any
}

func (a retriedRow) Scan(dest ...any) error {
	return a.db.Retry(a.ctx, func() error { return NotFoundRow{a.db.Read.QueryRowContext(a.ctx, a.query, a.args...)}.Scan(dest...) })
}

type errorRow struct{ err error }

func (f errorRow) Scan(...any) error { return f.err }

// NotFoundRow returns store.ErrNotFound instead of sql.ErrNoRows.
type NotFoundRow struct{ row Scanner }

func (f NotFoundRow) Scan(dest ...any) error {
	err := f.row.Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
}

// OrNotFound returns a row whose absence is store.ErrNotFound.
func OrNotFound(r Scanner) Scanner { return NotFoundRow{r} }

// ColumnBefore returns a row that scans first before the columns of a scan function.
func ColumnBefore(r Scanner, first any) Scanner { return columnsAround{r, []any{first}, nil} }

// ColumnsAfter returns a row that scans last after the columns of a scan function.
func ColumnsAfter(r Scanner, last []any) Scanner { return columnsAround{r, nil, last} }

type columnsAround struct {
	Scanner
	before, after []any
}

func (w columnsAround) Scan(dest ...any) error {
	return w.Scanner.Scan(slices.Concat(w.before, dest, w.after)...)
}

// Collect scans all rows, and closes them.
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
	return all, wrapConnLost(rows.Err())
}

// EncodeID escapes an id, which can have any bytes, for a text column: PostgreSQL takes neither NUL nor invalid UTF-8.
// Different ids have different encodings.
func EncodeID(id string) string {
	b := figs.AppendString(nil, id)
	return string(b[1 : len(b)-1])
}

// DecodeID is the inverse of EncodeID.
func DecodeID(key string) string { return string(jsonl.AppendKey(nil, []byte(`"`+key+`"`))) }

// CleanText replaces characters that PostgreSQL can't store. Use it for columns that are only displayed and filtered; the
// record itself is stored as written.
func CleanText(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// CutText shortens a text to at most n bytes.
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

// PageSize returns n, or its default, within its limits.
func PageSize(n int) int {
	if n <= 0 {
		return 50
	}
	return min(n, 200)
}

// Where builds a condition with its parameters.
type Where struct {
	SQL  string
	Args []any
}

// And appends a condition, in which $%d is the number of the parameter arg.
func (w *Where) And(condition string, arg any) {
	w.Args = append(w.Args, arg)
	w.SQL += strings.ReplaceAll(condition, "$%d", "$"+strconv.Itoa(len(w.Args)))
}

// JSONList returns the parameter for NumbersIn or TextsIn.
func JSONList[T int64 | string | [2]string](items []T) string {
	text, err := json.Marshal(items)
	if err != nil || items == nil {
		return "[]" // marshaling numbers and strings can't fail
	}
	return string(text)
}

// KindRun and KindAsk are values of records.kind, the same as of figs.File.
const (
	KindRun = int(figs.Runs)
	KindAsk = int(figs.Asks)
)

const RecordRowColumns = `no, kind, id, fold, versions, received_at, closed_at, state, at, mark`

func SortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
