package sqlcopy

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

var _ copyDialect = postgresCopy{}

type postgresCopy struct{}

func (postgresCopy) columns() string {
	return `SELECT c.relname, a.attname, format_type(a.atttypid, NULL),
			coalesce((SELECT k.n FROM pg_index i, unnest(i.indkey::int2[]) WITH ORDINALITY AS k (att, n)
				WHERE i.indrelid = c.oid AND i.indisprimary AND k.att = a.attnum), 0)
		FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE s.nspname = current_schema() AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
		ORDER BY c.relname, a.attnum`
}

func (postgresCopy) parents() string {
	return `SELECT t.relname, p.relname FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class p ON p.oid = c.confrelid
		JOIN pg_namespace s ON s.oid = t.relnamespace WHERE s.nspname = current_schema() AND c.contype = 'f'`
}

// References are created after the rows, which checks them with one query instead of one per row.
func (postgresCopy) DeferredObjects() string {
	return `SELECT l.gone, l.made FROM (SELECT 'DROP INDEX ' || quote_ident(i.relname), pg_get_indexdef(x.indexrelid), 1
		FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_namespace s ON s.oid = i.relnamespace
		WHERE s.nspname = current_schema() AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = x.indexrelid AND c.contype IN ('p', 'u', 'x'))
		UNION ALL
		SELECT 'ALTER TABLE ' || quote_ident(t.relname) || ' DROP CONSTRAINT ' || quote_ident(c.conname),
			'ALTER TABLE ' || quote_ident(t.relname) || ' ADD CONSTRAINT ' || quote_ident(c.conname) || ' ' || pg_get_constraintdef(c.oid), 2
		FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_namespace s ON s.oid = t.relnamespace
		WHERE s.nspname = current_schema() AND c.contype = 'f') AS l (gone, made, turn)
		ORDER BY l.turn, l.made`
}

func (postgresCopy) Empty(tables []string) []string {
	return []string{`TRUNCATE ` + strings.Join(tables, ", ") + `, search`}
}

func (postgresCopy) hasTable() string {
	return `SELECT EXISTS (SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = $1)`
}

func (postgresCopy) size() string { return `SELECT pg_database_size(current_database())` }

func (postgresCopy) otherConnections() string {
	return `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'figs-web' AND pid <> pg_backend_pid()`
}

func (postgresCopy) LastNumber() string { return `SELECT last_value FROM row_no` }

func (postgresCopy) setNumber() string { return `SELECT setval('row_no', $1)` }

func (postgresCopy) longReadSettings() []string {
	return []string{`SET LOCAL idle_in_transaction_session_timeout = 0`}
}

func (postgresCopy) writeSettings() (before, after []string) {
	return []string{`SET synchronous_commit = off`}, []string{`RESET synchronous_commit`}
}

// writeRows uses COPY, which is faster than a statement per row.
func (postgresCopy) writeRows(ctx context.Context, c *copier, _ *sql.Tx, t *copyTable, rows [][]any) error {
	return c.conn.Raw(func(driver any) error { // the connection with the transaction
		on, ok := driver.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("sqlstore: the connection is a %T", driver)
		}
		n, err := on.Conn().CopyFrom(ctx, pgx.Identifier{t.Name}, t.names(), pgx.CopyFromRows(rows))
		if err == nil && n != int64(len(rows)) {
			err = fmt.Errorf("sqlstore: PostgreSQL took %d rows of %d", n, len(rows))
		}
		return err
	})
}

// writeDocs writes in the transaction of the connection.
func (postgresCopy) writeDocs(ctx context.Context, c *copier, _ *sql.Tx, docs []sqldb.Doc) error {
	tx := c.to.TxFromConn(c.conn)
	if err := tx.AddDocs(ctx, docs); err != nil {
		return err
	}
	return tx.Flush(ctx)
}
