package sqlstore

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// TestPurgeCoversEveryTable tests that every table that names a workspace, an agent or a record is purged, or listed here
// with the reason why not.
func TestPurgeCoversEveryTable(t *testing.T) {
	stay := map[string]string{
		"audit": "what was done stays provable", "chains": "the ends of the audit",
		"sessions": "agent is a browser's own words", "devices": "agent is a client's own words",
		"removals": "the bytes of its attachments are removed afterwards",
	}
	ctx := context.Background()
	s, err := OpenSQLite(ctx, filepath.Join(t.TempDir(), "figs.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rows, err := s.Write.QueryContext(ctx, `SELECT m.name, p.name FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table' AND p.name IN ('workspace', 'agent', 'record')`)
	type column struct{ table, name string }
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, c *column) error { return r.Scan(&c.table, &c.name) })
	if err != nil || len(all) < 20 {
		t.Fatalf("%d columns, %v", len(all), err)
	}
	for _, c := range all {
		known := slices.ContainsFunc(purgedTables, func(p struct{ table, rows string }) bool { return p.table == c.table })
		if !known && stay[c.table] == "" {
			t.Errorf("table %s has the column %s, and a purge of a workspace leaves its rows: add it to purged in dispose.go", c.table, c.name)
		}
	}
}
