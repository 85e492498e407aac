package sqldb

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

// Dialect is the differences between the two databases.
type Dialect interface {
	Name() string
	Placeholders() *strings.Replacer // replaces the words in braces in migrations
	// lockMigrations prevents other programs from migrating until the transaction ends.
	lockMigrations(ctx context.Context, db *sql.DB, tx *sql.Tx) error
	// numbers takes n numbers that no row of any table has. They may arrive only with the next flush.
	numbers(ctx context.Context, c *Tx, n int, into *[]int64) error
	// IsUniqueViolation reports whether err means that a unique key exists already.
	IsUniqueViolation(err error) bool

	index(docs []Doc) (table, columns string, rows [][]any)
	// PrepareIndex prepares the search index for many documents in one transaction.
	PrepareIndex(ctx context.Context, c *Tx) error
	Unindex() string     // parameter $1 is the number
	NewestFirst() string // orders documents by number, descending
	// PlanEachTime changes the arguments of a query so that it is planned for their values each time: the number of
	// documents that have a word differs widely.
	PlanEachTime(args []any) []any
	// Matches returns the part of a query from FROM on that finds documents, and the column with their number. Its
	// parameters start at $first. A scope has a workspace or agents. Without terms all of its documents match.
	Matches(of Scope, terms []SearchWords, first int) (no, from string, args []any)
	// TitleMatches is the same for asks by the words of their titles and ids, newest first; r is their row of records. Its
	// parameters start at $1. If very many match, it may leave out older ones.
	TitleMatches(workspace string, without []string, terms []SearchWords) (from string, args []any)
	value(column, v string) string // expression for a column's value
	ReadTxOptions() *sql.TxOptions // for a transaction that reads a consistent snapshot
	// LockBlob prevents other transactions from attaching or removing the bytes with that hash until the transaction ends.
	LockBlob(ctx context.Context, c *Tx, sha256 string) error
	// ScrubFiles removes deleted data from the files, as far as the database supports that.
	ScrubFiles(ctx context.Context, db *sql.DB) error
	// NumbersIn and TextsIn return a condition, to follow a column, that it is in the JSON array of the i-th parameter.
	NumbersIn(i int) string
	TextsIn(i int) string
	// Texts is a table with the column value: the texts in the JSON array of the i-th parameter.
	Texts(i int) string
	// Pairs is a table with the columns a and b: the pairs of texts in the JSON array of the i-th parameter.
	Pairs(i int) string
	// RecordsByID is a query for RecordRowColumns of an agent's ($1) runs with the ids in a JSON array ($2) and asks ($3).
	RecordsByID() string
}

type SQLite struct{}

func (SQLite) Name() string { return "sqlite" }

func (SQLite) Placeholders() *strings.Replacer {
	return strings.NewReplacer("{{text}}", "TEXT", "{{blob}}", "BLOB", "{{number}}", "INTEGER", "{{clustered}}", " WITHOUT ROWID")
}

func (SQLite) lockMigrations(context.Context, *sql.DB, *sql.Tx) error { return nil } // SQLite's write transactions are immediate

func (SQLite) numbers(ctx context.Context, c *Tx, n int, into *[]int64) error {
	var last int64
	if err := c.Row(ctx, `UPDATE counters SET value = value + $1 WHERE name = 'no' RETURNING value`, n).Scan(&last); err != nil {
		return err
	}
	for i := range n {
		*into = append(*into, last-int64(n)+1+int64(i))
	}
	return nil
}

func (SQLite) IsUniqueViolation(err error) bool {
	const unique, primaryKey = 2067, 1555
	var e *sqlitedriver.Error
	return errors.As(err, &e) && (e.Code() == unique || e.Code() == primaryKey)
}

func (SQLite) value(_, v string) string { return v }

func (SQLite) NumbersIn(i int) string { return fmt.Sprintf("IN (SELECT value FROM json_each($%d))", i) }

func (d SQLite) TextsIn(i int) string { return d.NumbersIn(i) }

func (SQLite) Texts(i int) string { return fmt.Sprintf("(SELECT value FROM json_each($%d))", i) }

func (SQLite) Pairs(i int) string {
	return fmt.Sprintf("(SELECT json_extract(value, '$[0]') AS a, json_extract(value, '$[1]') AS b FROM json_each($%d))", i)
}

func (d SQLite) RecordsByID() string {
	const query = `SELECT ` + RecordRowColumns + ` FROM records WHERE agent = $1 AND kind = `
	return query + `0 AND id ` + d.TextsIn(2) + ` UNION ALL ` + query + `1 AND id ` + d.TextsIn(3)
}

func (SQLite) ReadTxOptions() *sql.TxOptions { return nil } // connections for reading can't write

func (SQLite) LockBlob(context.Context, *Tx, string) error { return nil } // there is only one writer

// ScrubFiles optimizes the search indexes, where deleted words are only marked, and truncates the write-ahead log. Elsewhere
// secure_delete has already overwritten deleted data.
func (SQLite) ScrubFiles(ctx context.Context, db *sql.DB) error {
	for _, index := range []string{"search", "titles"} {
		if _, err := db.ExecContext(ctx, `INSERT INTO `+index+` (`+index+`) VALUES ('optimize')`); err != nil {
			return fmt.Errorf("sqlstore: rewriting the search index: %w", err)
		}
	}
	var busy, pages, done int
	if err := db.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &done); err != nil {
		return fmt.Errorf("sqlstore: truncating the write-ahead log: %w", err)
	}
	if busy != 0 {
		return errors.New("sqlstore: the write-ahead log could not be truncated, because another program keeps reading it")
	}
	return nil
}

// PostgreSQL is the dialect of PostgreSQL. If tablesOnly is set, it uses neither advisory locks nor NOTIFY, which some
// compatible databases lack.
type PostgreSQL struct{ tablesOnly bool }

func (PostgreSQL) Name() string { return "postgres" }

func (PostgreSQL) Placeholders() *strings.Replacer {
	// Both databases must sort by bytes.
	return strings.NewReplacer("{{text}}", `TEXT COLLATE "C"`, "{{blob}}", "BYTEA", "{{number}}", "BIGINT", "{{clustered}}", "")
}

const lockClass = 0x66696773 // "figs"

func (d PostgreSQL) lockMigrations(ctx context.Context, db *sql.DB, tx *sql.Tx) error {
	if !d.tablesOnly {
		_, err := tx.ExecContext(ctx, fmt.Sprintf(`SELECT pg_advisory_xact_lock(%d)`, lockClass))
		return err
	}
	// If several programs create the table at once, all but one can fail.
	if _, err := db.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS migration_lock (no BIGINT PRIMARY KEY)`); err != nil && !isDuplicate(err) {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO migration_lock (no) VALUES (1) ON CONFLICT (no) DO UPDATE SET no = excluded.no`)
	return err
}

// isDuplicate reports whether someone else has just created the same table.
func isDuplicate(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == "23505" || e.Code == "42P07" || e.Code == "42710")
}

func (PostgreSQL) numbers(_ context.Context, c *Tx, n int, into *[]int64) error {
	c.pipeline.addRow(`SELECT string_agg(CAST(nextval('row_no') AS TEXT), ' ') FROM generate_series(1, $1)`, []any{n}, func(r Scanner) error {
		var list string
		err := r.Scan(&list)
		for no := range strings.SplitSeq(list, " ") {
			n, _ := strconv.ParseInt(no, 10, 64)
			*into = append(*into, n)
		}
		return err
	})
	return nil
}

func (PostgreSQL) value(column, v string) string {
	if column == "body" {
		return "CAST(" + v + " AS tsvector)"
	}
	return v
}

// An array instead of a set of rows, so that every plan uses an index.
func (PostgreSQL) NumbersIn(i int) string {
	return fmt.Sprintf("= ANY (ARRAY(SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST($%d AS JSON))))", i)
}

func (PostgreSQL) TextsIn(i int) string {
	return fmt.Sprintf(`= ANY (ARRAY(SELECT value COLLATE "C" FROM json_array_elements_text(CAST($%d AS JSON))))`, i)
}

func (PostgreSQL) Texts(i int) string {
	return fmt.Sprintf(`(SELECT value COLLATE "C" AS value FROM json_array_elements_text(CAST($%d AS JSON)))`, i)
}

func (PostgreSQL) Pairs(i int) string {
	return fmt.Sprintf(`(SELECT (value ->> 0) COLLATE "C" AS a, (value ->> 1) COLLATE "C" AS b FROM json_array_elements(CAST($%d AS JSON)))`, i)
}

// Looks up each id separately: without statistics, the planner prefers a scan of all of the agent's records to ten lookups.
func (PostgreSQL) RecordsByID() string {
	const ids = `SELECT %d AS kind, value COLLATE "C" AS id FROM json_array_elements_text(CAST($%d AS JSON))`
	return `SELECT r.* FROM (` + fmt.Sprintf(ids, KindRun, 2) + ` UNION ALL ` + fmt.Sprintf(ids, KindAsk, 3) + `) k
		CROSS JOIN LATERAL (SELECT ` + RecordRowColumns + ` FROM records WHERE agent = $1 AND kind = k.kind AND id = k.id LIMIT 1) r`
}

func (PostgreSQL) ReadTxOptions() *sql.TxOptions {
	return &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
}

// Without advisory locks, one row serves as the lock for all hashes that start with the same two digits, so there are at
// most 256 rows.
func (d PostgreSQL) LockBlob(ctx context.Context, c *Tx, sha256 string) error {
	query, name := `INSERT INTO locks (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name`, "bytes "+CutText(sha256, 2)
	if !d.tablesOnly {
		query, name = fmt.Sprintf(`SELECT pg_advisory_xact_lock(%d, hashtext($1))`, lockClass), sha256 // the two-argument form is a separate lock space
	}
	_, err := c.Exec(ctx, query, name)
	return err
}

func (PostgreSQL) ScrubFiles(ctx context.Context, db *sql.DB) error {
	for _, table := range []string{"records", "trail", "messages", "decisions", "attachments", "agents", "drafts", "mentions", "search"} {
		if _, err := db.ExecContext(ctx, `VACUUM `+table); err != nil {
			return fmt.Errorf("sqlstore: %w", err)
		}
	}
	return nil
}

func (PostgreSQL) IsUniqueViolation(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == "23505"
}
