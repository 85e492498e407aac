package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	sqlitedriver "modernc.org/sqlite"
)

// dialect is where the two databases differ.
type dialect interface {
	name() string
	words() *strings.Replacer // what migrations write in braces
	lockMigrations(ctx context.Context, c *sql.Conn) (unlock func(), err error)
	// numbers takes n numbers that no row of any table has.
	numbers(ctx context.Context, tx *sql.Tx, n int) ([]int64, error)
	batch() int // rows of one INSERT
	taken(err error) bool
	again(err error) bool // the transaction lost against another and may be tried again

	index(docs []doc) (table, columns string, rows [][]any)
	unindex() string // with the number as $1
	// matches is the part of a query from FROM on that finds documents by their number, whose column it names.
	// Its parameters count from first; an empty workspace or agent is any, but not both. Those of the
	// agents without are left out.
	matches(workspace, agent string, without, terms []string, first int) (no, from string, args []any)
	value(column string, i int) string // how the i-th parameter becomes a column's value
	reading() *sql.TxOptions           // a transaction that reads one moment
	// lockBytes lets nobody else name or drop the bytes with a hash until the transaction ends.
	lockBytes(ctx context.Context, tx *sql.Tx, sha256 string) error
	// scrub takes what was deleted out of the files, as far as the database can do it.
	scrub(ctx context.Context, db *sql.DB) error
	// numbersIn and textsIn are the set of what the i-th parameter lists as a JSON array.
	numbersIn(i int) string
	textsIn(i int) string
}

type sqlite struct{}

func (sqlite) name() string { return "sqlite" }

func (sqlite) words() *strings.Replacer {
	return strings.NewReplacer("{{text}}", "TEXT", "{{blob}}", "BLOB", "{{number}}", "INTEGER", "{{clustered}}", " WITHOUT ROWID")
}

func (sqlite) lockMigrations(context.Context, *sql.Conn) (func(), error) {
	return func() {}, nil // each migration is an immediate transaction and looks again
}

func (sqlite) numbers(ctx context.Context, tx *sql.Tx, n int) ([]int64, error) {
	var last int64
	if err := tx.QueryRowContext(ctx, `UPDATE counters SET value = value + $1 WHERE name = 'no' RETURNING value`, n).Scan(&last); err != nil {
		return nil, err
	}
	all := make([]int64, n)
	for i := range all {
		all[i] = last - int64(n) + 1 + int64(i)
	}
	return all, nil
}

// The driver finds parameters by name, so that statements with many of them are slow.
func (sqlite) batch() int { return 1 }

func (sqlite) taken(err error) bool {
	const unique, primaryKey = 2067, 1555
	var e *sqlitedriver.Error
	return errors.As(err, &e) && (e.Code() == unique || e.Code() == primaryKey)
}

func (sqlite) value(_ string, i int) string { return "$" + strconv.Itoa(i) }

func (sqlite) numbersIn(i int) string { return fmt.Sprintf("(SELECT value FROM json_each($%d))", i) }

func (d sqlite) textsIn(i int) string { return d.numbersIn(i) }

func (sqlite) reading() *sql.TxOptions { return nil } // its connections for reading write nothing

func (sqlite) again(error) bool { return false } // one writer

func (sqlite) lockBytes(context.Context, *sql.Tx, string) error { return nil } // one writer

// What is deleted is overwritten (secure_delete), but for the words of the search index, of which a
// deletion is only noted, and for the log.
func (sqlite) scrub(ctx context.Context, db *sql.DB) error {
	if _, err := db.ExecContext(ctx, `INSERT INTO search (search) VALUES ('optimize')`); err != nil {
		return fmt.Errorf("sqlstore: writing the search index anew: %w", err)
	}
	var busy, pages, done int
	if err := db.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &done); err != nil {
		return fmt.Errorf("sqlstore: emptying the log: %w", err)
	}
	if busy != 0 {
		return errors.New("sqlstore: the log is read by somebody for long, so that it was not emptied")
	}
	return nil
}

type postgres struct{}

func (postgres) name() string { return "postgres" }

func (postgres) words() *strings.Replacer {
	// Both databases sort by bytes.
	return strings.NewReplacer("{{text}}", `TEXT COLLATE "C"`, "{{blob}}", "BYTEA", "{{number}}", "BIGINT", "{{clustered}}", "")
}

func (postgres) lockMigrations(ctx context.Context, c *sql.Conn) (func(), error) {
	const key = 0x66696773 // "figs"
	if _, err := c.ExecContext(ctx, fmt.Sprintf(`SELECT pg_advisory_lock(%d)`, key)); err != nil {
		return nil, err
	}
	return func() {
		c.ExecContext(context.WithoutCancel(ctx), fmt.Sprintf(`SELECT pg_advisory_unlock(%d)`, key))
	}, nil
}

func (postgres) numbers(ctx context.Context, tx *sql.Tx, n int) ([]int64, error) {
	rows, err := tx.QueryContext(ctx, `SELECT nextval('row_no') FROM generate_series(1, $1)`, n)
	return collect(rows, err, func(r scanner, no *int64) error { return r.Scan(no) })
}

func (postgres) value(column string, i int) string {
	if column == "body" {
		return "to_tsvector('simple', $" + strconv.Itoa(i) + ")"
	}
	return "$" + strconv.Itoa(i)
}

func (postgres) numbersIn(i int) string {
	return fmt.Sprintf("(SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST($%d AS JSON)))", i)
}

func (postgres) textsIn(i int) string {
	return fmt.Sprintf(`(SELECT value COLLATE "C" FROM json_array_elements_text(CAST($%d AS JSON)))`, i)
}

func (postgres) reading() *sql.TxOptions {
	return &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
}

func (postgres) batch() int { return 500 }

func (postgres) lockBytes(ctx context.Context, tx *sql.Tx, sha256 string) error {
	const class = 0x66696773 // "figs"; two numbers are another lock than one
	_, err := tx.ExecContext(ctx, fmt.Sprintf(`SELECT pg_advisory_xact_lock(%d, hashtext($1))`, class), sha256)
	return err
}

func (postgres) scrub(ctx context.Context, db *sql.DB) error {
	for _, table := range []string{"records", "trail", "messages", "decisions", "attachments", "agents", "drafts", "mentions", "search"} {
		if _, err := db.ExecContext(ctx, `VACUUM `+table); err != nil {
			return fmt.Errorf("sqlstore: %w", err)
		}
	}
	return nil
}

func (postgres) taken(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == "23505"
}

func (postgres) again(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == "40001" || e.Code == "40P01")
}
