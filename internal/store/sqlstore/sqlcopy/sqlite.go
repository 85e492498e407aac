package sqlcopy

import (
	"context"
	"database/sql"
	"os"
	"strings"

	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

var _ copyDialect = sqliteCopy{}

type sqliteCopy struct{}

// columns skips the search index, which is a virtual table with several tables behind it.
func (sqliteCopy) columns() string {
	return `SELECT l.name, c.name, c.type, c.pk FROM pragma_table_list l JOIN pragma_table_info(l.name) c
		WHERE l.schema = 'main' AND l.type = 'table' AND l.name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY l.name, c.cid`
}

func (sqliteCopy) parents() string {
	return `SELECT l.name, f."table" FROM pragma_table_list l JOIN pragma_foreign_key_list(l.name) f WHERE l.schema = 'main' AND l.type = 'table'`
}

func (sqliteCopy) DeferredObjects() string {
	return `SELECT 'DROP INDEX "' || name || '"', sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name`
}

func (sqliteCopy) Empty(tables []string) (all []string) {
	for _, t := range tables {
		all = append(all, `DELETE FROM `+t)
	}
	return append(all, `INSERT INTO search (search) VALUES ('delete-all')`, `INSERT INTO titles (titles) VALUES ('delete-all')`)
}

func (sqliteCopy) hasTable() string {
	return `SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1)`
}

func (sqliteCopy) size() string {
	return `SELECT p.page_count * s.page_size FROM pragma_page_count p, pragma_page_size s`
}

func (sqliteCopy) otherConnections() string { return `SELECT 0` }

func (sqliteCopy) LastNumber() string { return `SELECT value FROM counters WHERE name = 'no'` }

func (sqliteCopy) setNumber() string { return `UPDATE counters SET value = $1 WHERE name = 'no'` }

func (sqliteCopy) longReadSettings() []string { return nil }

// writeSettings lets SQLite sort in a file, if there is a place for one, because sorting for an index takes as much memory
// as the index.
func (sqliteCopy) writeSettings() (before, after []string) {
	before, after = []string{`PRAGMA synchronous = normal`}, []string{`PRAGMA synchronous = full`}
	if f, err := os.CreateTemp("", "figs-web-*"); err == nil {
		f.Close()
		os.Remove(f.Name())
		before, after = append(before, `PRAGMA temp_store = file`), append(after, `PRAGMA temp_store = memory`)
	}
	return before, after
}

func (sqliteCopy) writeRows(ctx context.Context, c *copier, tx *sql.Tx, t *copyTable, rows [][]any) error {
	return c.to.TxFromTx(tx).Insert(ctx, t.Name, strings.Join(t.names(), ", "), rows)
}

func (sqliteCopy) writeDocs(ctx context.Context, c *copier, tx *sql.Tx, docs []sqldb.Doc) error {
	return c.to.TxFromTx(tx).AddDocs(ctx, docs)
}
