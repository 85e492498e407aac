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

// Dialect is where the two databases differ.
type Dialect interface {
	Name() string
	Words() *strings.Replacer // what migrations write in braces
	// lockMigrations lets nobody else take steps until the transaction ends.
	lockMigrations(ctx context.Context, db *sql.DB, tx *sql.Tx) error
	// numbers takes n numbers that no row of any table has; they may arrive with the change's next flush.
	numbers(ctx context.Context, c *Tx, n int, into *[]int64) error
	Taken(err error) bool

	index(docs []Doc) (table, columns string, rows [][]any)
	// PrepareIndex readies the index for many documents in one change.
	PrepareIndex(ctx context.Context, c *Tx) error
	Unindex() string     // with the number as $1
	NewestFirst() string // orders documents, the highest number first
	// anew has a query planned for its parameters each time, not once for any: how many documents have a word differs by all of them.
	PlanEachTime(args []any) []any
	// Matches is the part of a query from FROM on that finds documents by their number, whose column it names.
	// Its parameters count from first; an empty workspace or agent is any, but not both. Those of the
	// agents without are left out.
	Matches(workspace, agent string, without []string, terms []SearchWords, first int) (no, from string, args []any)
	value(column, v string) string // how something becomes a column's value
	Reading() *sql.TxOptions       // a transaction that reads one moment
	// LockBytes lets nobody else name or drop the bytes with a hash until the transaction ends.
	LockBytes(ctx context.Context, c *Tx, sha256 string) error
	// scrub takes what was deleted out of the files, as far as the database can do it.
	ScrubFiles(ctx context.Context, db *sql.DB) error
	// NumbersIn and TextsIn, behind a column, say that it is one of what the i-th parameter lists as a JSON array.
	NumbersIn(i int) string
	TextsIn(i int) string
	// RecordsByID reads RecordRowColumns of the runs of an agent ($1) with some ids ($2, a JSON array) and its asks ($3).
	RecordsByID() string
}

type SQLite struct{}

func (SQLite) Name() string { return "sqlite" }

func (SQLite) Words() *strings.Replacer {
	return strings.NewReplacer("{{text}}", "TEXT", "{{blob}}", "BLOB", "{{number}}", "INTEGER", "{{clustered}}", " WITHOUT ROWID")
}

func (SQLite) lockMigrations(context.Context, *sql.DB, *sql.Tx) error { return nil } // the transaction is an immediate one

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

func (SQLite) Taken(err error) bool {
	const unique, primaryKey = 2067, 1555
	var e *sqlitedriver.Error
	return errors.As(err, &e) && (e.Code() == unique || e.Code() == primaryKey)
}

func (SQLite) value(_, v string) string { return v }

func (SQLite) NumbersIn(i int) string { return fmt.Sprintf("IN (SELECT value FROM json_each($%d))", i) }

func (d SQLite) TextsIn(i int) string { return d.NumbersIn(i) }

func (d SQLite) RecordsByID() string {
	const query = `SELECT ` + RecordRowColumns + ` FROM records WHERE agent = $1 AND kind = `
	return query + `0 AND id ` + d.TextsIn(2) + ` UNION ALL ` + query + `1 AND id ` + d.TextsIn(3)
}

func (SQLite) Reading() *sql.TxOptions { return nil } // its connections for reading write nothing

func (SQLite) LockBytes(context.Context, *Tx, string) error { return nil } // one writer

// What is deleted is overwritten (secure_delete), but for the words of the search index, of which a
// deletion is only noted, and for the log.
func (SQLite) ScrubFiles(ctx context.Context, db *sql.DB) error {
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

// PostgreSQL is PostgreSQL, or with tablesOnly what speaks its protocol and has neither advisory locks nor NOTIFY.
type PostgreSQL struct{ tablesOnly bool }

func (PostgreSQL) Name() string { return "postgres" }

func (PostgreSQL) Words() *strings.Replacer {
	// Both databases sort by bytes.
	return strings.NewReplacer("{{text}}", `TEXT COLLATE "C"`, "{{blob}}", "BYTEA", "{{number}}", "BIGINT", "{{clustered}}", "")
}

const lockClass = 0x66696773 // "figs"

func (d PostgreSQL) lockMigrations(ctx context.Context, db *sql.DB, tx *sql.Tx) error {
	if !d.tablesOnly {
		_, err := tx.ExecContext(ctx, fmt.Sprintf(`SELECT pg_advisory_xact_lock(%d)`, lockClass))
		return err
	}
	// Of several that make the table at once all but one may fail.
	if _, err := db.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS migration_lock (no BIGINT PRIMARY KEY)`); err != nil && !madeMeanwhile(err) {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO migration_lock (no) VALUES (1) ON CONFLICT (no) DO UPDATE SET no = excluded.no`)
	return err
}

// madeMeanwhile says that somebody else has just made the same table.
func madeMeanwhile(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == "23505" || e.Code == "42P07" || e.Code == "42710")
}

func (PostgreSQL) numbers(_ context.Context, c *Tx, n int, into *[]int64) error {
	c.line.addRow(`SELECT string_agg(CAST(nextval('row_no') AS TEXT), ' ') FROM generate_series(1, $1)`, []any{n}, func(r Scanner) error {
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

// As a list, not as a set of rows, so that whatever is planned goes by an index.
func (PostgreSQL) NumbersIn(i int) string {
	return fmt.Sprintf("= ANY (ARRAY(SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST($%d AS JSON))))", i)
}

func (PostgreSQL) TextsIn(i int) string {
	return fmt.Sprintf(`= ANY (ARRAY(SELECT value COLLATE "C" FROM json_array_elements_text(CAST($%d AS JSON))))`, i)
}

// Each id is looked up by itself: as long as there are no statistics, going through all that an agent has seems less than ten looks.
func (PostgreSQL) RecordsByID() string {
	const ids = `SELECT %d AS kind, value COLLATE "C" AS id FROM json_array_elements_text(CAST($%d AS JSON))`
	return `SELECT r.* FROM (` + fmt.Sprintf(ids, KindRun, 2) + ` UNION ALL ` + fmt.Sprintf(ids, KindAsk, 3) + `) k
		CROSS JOIN LATERAL (SELECT ` + RecordRowColumns + ` FROM records WHERE agent = $1 AND kind = k.kind AND id = k.id LIMIT 1) r`
}

func (PostgreSQL) Reading() *sql.TxOptions {
	return &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
}

// A row of locks stands for all hashes that begin alike, so that there are never more than 256.
func (d PostgreSQL) LockBytes(ctx context.Context, c *Tx, sha256 string) error {
	query, name := `INSERT INTO locks (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name`, "bytes "+CutText(sha256, 2)
	if !d.tablesOnly {
		query, name = fmt.Sprintf(`SELECT pg_advisory_xact_lock(%d, hashtext($1))`, lockClass), sha256 // two numbers are another lock than one
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

func (PostgreSQL) Taken(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == "23505"
}
