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
	// lockMigrations lets nobody else take steps until the transaction ends.
	lockMigrations(ctx context.Context, db *sql.DB, tx *sql.Tx) error
	// numbers takes n numbers that no row of any table has; they may arrive with the change's next flush.
	numbers(ctx context.Context, c *change, n int, into *[]int64) error
	taken(err error) bool

	index(docs []doc) (table, columns string, rows [][]any)
	// prepareIndex readies the index for many documents in one change.
	prepareIndex(ctx context.Context, c *change) error
	unindex() string // with the number as $1
	newest() string  // orders documents, the highest number first
	// anew has a query planned for its parameters each time, not once for any: how many documents have a word differs by all of them.
	anew(args []any) []any
	// matches is the part of a query from FROM on that finds documents by their number, whose column it names.
	// Its parameters count from first; an empty workspace or agent is any, but not both. Those of the
	// agents without are left out.
	matches(workspace, agent string, without []string, terms []wanted, first int) (no, from string, args []any)
	value(column, v string) string // how something becomes a column's value
	reading() *sql.TxOptions       // a transaction that reads one moment
	// lockBytes lets nobody else name or drop the bytes with a hash until the transaction ends.
	lockBytes(ctx context.Context, c *change, sha256 string) error
	// scrub takes what was deleted out of the files, as far as the database can do it.
	scrub(ctx context.Context, db *sql.DB) error
	// numbersIn and textsIn, behind a column, say that it is one of what the i-th parameter lists as a JSON array.
	numbersIn(i int) string
	textsIn(i int) string
	// recordsByID reads recordRowColumns of the runs of an agent ($1) with some ids ($2, a JSON array) and its asks ($3).
	recordsByID() string
}

type sqlite struct{}

func (sqlite) name() string { return "sqlite" }

func (sqlite) words() *strings.Replacer {
	return strings.NewReplacer("{{text}}", "TEXT", "{{blob}}", "BLOB", "{{number}}", "INTEGER", "{{clustered}}", " WITHOUT ROWID")
}

func (sqlite) lockMigrations(context.Context, *sql.DB, *sql.Tx) error { return nil } // the transaction is an immediate one

func (sqlite) numbers(ctx context.Context, c *change, n int, into *[]int64) error {
	var last int64
	if err := c.row(ctx, `UPDATE counters SET value = value + $1 WHERE name = 'no' RETURNING value`, n).Scan(&last); err != nil {
		return err
	}
	for i := range n {
		*into = append(*into, last-int64(n)+1+int64(i))
	}
	return nil
}

func (sqlite) taken(err error) bool {
	const unique, primaryKey = 2067, 1555
	var e *sqlitedriver.Error
	return errors.As(err, &e) && (e.Code() == unique || e.Code() == primaryKey)
}

func (sqlite) value(_, v string) string { return v }

func (sqlite) numbersIn(i int) string { return fmt.Sprintf("IN (SELECT value FROM json_each($%d))", i) }

func (d sqlite) textsIn(i int) string { return d.numbersIn(i) }

func (d sqlite) recordsByID() string {
	const query = `SELECT ` + recordRowColumns + ` FROM records WHERE agent = $1 AND kind = `
	return query + `0 AND id ` + d.textsIn(2) + ` UNION ALL ` + query + `1 AND id ` + d.textsIn(3)
}

func (sqlite) reading() *sql.TxOptions { return nil } // its connections for reading write nothing

func (sqlite) lockBytes(context.Context, *change, string) error { return nil } // one writer

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

// postgres is PostgreSQL, or with tablesOnly what speaks its protocol and has neither advisory locks nor NOTIFY.
type postgres struct{ tablesOnly bool }

func (postgres) name() string { return "postgres" }

func (postgres) words() *strings.Replacer {
	// Both databases sort by bytes.
	return strings.NewReplacer("{{text}}", `TEXT COLLATE "C"`, "{{blob}}", "BYTEA", "{{number}}", "BIGINT", "{{clustered}}", "")
}

const lockClass = 0x66696773 // "figs"

func (d postgres) lockMigrations(ctx context.Context, db *sql.DB, tx *sql.Tx) error {
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

func (postgres) numbers(_ context.Context, c *change, n int, into *[]int64) error {
	c.line.addRow(`SELECT string_agg(CAST(nextval('row_no') AS TEXT), ' ') FROM generate_series(1, $1)`, []any{n}, func(r scanner) error {
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

func (postgres) value(column, v string) string {
	if column == "body" {
		return "CAST(" + v + " AS tsvector)"
	}
	return v
}

// As a list, not as a set of rows, so that whatever is planned goes by an index.
func (postgres) numbersIn(i int) string {
	return fmt.Sprintf("= ANY (ARRAY(SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST($%d AS JSON))))", i)
}

func (postgres) textsIn(i int) string {
	return fmt.Sprintf(`= ANY (ARRAY(SELECT value COLLATE "C" FROM json_array_elements_text(CAST($%d AS JSON))))`, i)
}

// Each id is looked up by itself: as long as there are no statistics, going through all that an agent has seems less than ten looks.
func (postgres) recordsByID() string {
	const ids = `SELECT %d AS kind, value COLLATE "C" AS id FROM json_array_elements_text(CAST($%d AS JSON))`
	return `SELECT r.* FROM (` + fmt.Sprintf(ids, kindRun, 2) + ` UNION ALL ` + fmt.Sprintf(ids, kindAsk, 3) + `) k
		CROSS JOIN LATERAL (SELECT ` + recordRowColumns + ` FROM records WHERE agent = $1 AND kind = k.kind AND id = k.id LIMIT 1) r`
}

func (postgres) reading() *sql.TxOptions {
	return &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
}

// A row of locks stands for all hashes that begin alike, so that there are never more than 256.
func (d postgres) lockBytes(ctx context.Context, c *change, sha256 string) error {
	query, name := `INSERT INTO locks (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name`, "bytes "+cut(sha256, 2)
	if !d.tablesOnly {
		query, name = fmt.Sprintf(`SELECT pg_advisory_xact_lock(%d, hashtext($1))`, lockClass), sha256 // two numbers are another lock than one
	}
	_, err := c.do(ctx, query, name)
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
