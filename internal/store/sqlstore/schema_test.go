//go:build unix

package sqlstore

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// columnsOf returns the columns of every table.
func columnsOf(t *testing.T, s *Store) map[string][]string {
	t.Helper()
	rows, err := s.Rows(ctx, `SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY m.name, c.cid`)
	type column struct{ table, name string }
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, c *column) error { return r.Scan(&c.table, &c.name) })
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string][]string{}
	for _, c := range all {
		tables[c.table] = append(tables[c.table], c.name)
	}
	return tables
}

// TestMoveCoversEveryTable tests that every table that names the agent and the workspace of a row is moved with the agent.
// A new one must be added to movedTables, or to MoveAgent and this test.
func TestMoveCoversEveryTable(t *testing.T) {
	byThemselves := map[string]string{"pulse": "moveBeats, which moves sums too", "notify_outbox": "moveNews, which leaves out who may not know of it"}
	tables := columnsOf(t, openSQLite(t))
	for table, columns := range tables {
		both := slices.Contains(columns, "agent") && slices.Contains(columns, "workspace")
		if listed := slices.Contains(movedTables, table); both != listed && byThemselves[table] == "" {
			t.Errorf("%s has the columns %s: is it in moves? %v", table, strings.Join(columns, ", "), listed)
		}
	}
	for _, table := range movedTables {
		if tables[table] == nil {
			t.Errorf("%s is no table", table)
		}
	}
	if len(tables) < 30 {
		t.Errorf("only %d tables", len(tables))
	}
}

// TestEraseLeavesNoBytes tests that after erasing, no file of the database contains the text any more.
func TestEraseLeavesNoBytes(t *testing.T) {
	dir := t.TempDir()
	s, err := OpenSQLite(ctx, filepath.Join(dir, "figs.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	workspace := workspaceOf(t, s)
	body := func(word string) []byte {
		long := strings.Repeat(" "+word+" and more of it.", 800) // over many pages
		return []byte(`{"workspaceId":"` + workspace + `","agent":{"id":"0d4f2a3c-1111-4222-8333-000000000001","name":"A"},
			"runs":[{"id":"r","ts":"2026-11-20T10:00:00Z","result":"` + long + `"},{"id":"s","ts":"2026-11-20T10:00:00Z","result":"zanzig stays"}],
			"asks":[{"id":"a","type":"question","ts":"2026-11-20T10:00:00Z","title":"` + word + `","need":"` + long + `"}],
			"messages":[{"id":"m","kind":"answer","ask":"a","by":"Ana","ts":"2026-11-20T11:00:00Z","text":"` + long + `"}]}`)
	}
	const agent = "0d4f2a3c-1111-4222-8333-000000000001"
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(ingest(s, workspace, noonOfTests)(body("zanzibaric"), ""))
	must(ingest(s, workspace, noonOfTests+1)(body("zanzibarian"), ""))
	_, err = s.Attach(ctx, store.Act{At: noonOfTests}, store.Attachment{Agent: agent, Name: "f.txt", SHA256: store.Hash("x"), Size: 1}, "zanzibar of the file")
	must(err)
	holds := func() (where []string) {
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		must(err)
		for _, file := range files {
			content, err := os.ReadFile(file)
			must(err)
			if strings.Contains(string(content), "zanzibar") || strings.Contains(string(content), "zibar") {
				where = append(where, filepath.Base(file))
			}
		}
		return where
	}
	if len(holds()) == 0 {
		t.Fatal("the words are in no file before they are erased")
	}
	for kind, id := range map[store.ErasureKind]string{store.EraseRun: "r", store.EraseAsk: "a", store.EraseReply: "m", store.EraseAttachment: "f.txt"} {
		_, err := s.Erase(ctx, store.Act{At: noonOfTests}, store.Erasure{Workspace: workspace, Agent: agent, Kind: kind, ID: id, Why: "x"})
		must(err)
	}
	must(s.Scrub(ctx))
	if where := holds(); len(where) > 0 {
		t.Errorf("the words are still in %v", where)
	}
	if found, err := s.Search(ctx, store.SearchQuery{Workspace: workspace, Text: "zanzig"}); err != nil || len(found.Hits) != 1 {
		t.Errorf("another word is found %d times, %v", len(found.Hits), err)
	}
}
