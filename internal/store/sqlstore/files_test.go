//go:build unix

package sqlstore

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// TestFilesOfLargeAgent tests that PostgreSQL reads a page of the files of an agent that has a fifth of all mentions from
// indexes, and that pages have every name once, in both directions.
func TestFilesOfLargeAgent(t *testing.T) {
	s := openPostgres(t, storetest.SharedPostgres(t))
	w := workspaceOf(t, s)
	const agent = "0d4f2a3c-1111-4222-8333-000000000001"
	for _, id := range []string{agent, agent[:len(agent)-1] + "2", agent[:len(agent)-1] + "3"} {
		if err := ingest(s, w, noonOfTests)([]byte(strings.ReplaceAll(string(pushBody(w, 20, 0, 0)), agent, id)), ""); err != nil {
			t.Fatal(err)
		}
	}
	err := s.update(ctx, func(c *storeTx) error {
		for _, statement := range []string{
			`INSERT INTO mentions (agent, name, record, n, place) SELECT CASE WHEN i % 5 = 0 THEN '` + agent + `' ELSE 'other-' || i % 900 END, 'f-' || i % 40000 || '.html', 1000000 + i, 1, (1000000 + CAST(i AS BIGINT)) * 1048576 FROM generate_series(1, 100000) i`,
			`INSERT INTO attachments (no, agent, workspace, name, sha256, size, words, uploaded_at, pushed_by, seq)
				SELECT 9000000 + i, CASE WHEN i % 3 = 0 THEN '` + agent + `' ELSE '0d4f2a3c-1111-4222-8333-00000000000' || 2 + i % 2 END, '` + w + `', 'f-' || i * 2 || CASE WHEN i % 30 = 0 THEN '.txt' ELSE '.html' END, 'x', 1, '', 1, '', 1 FROM generate_series(1, 3000) i`,
			`ANALYZE mentions`, `ANALYZE attachments`,
		} {
			if _, err := c.Exec(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, query := range map[string]string{
		"first":  firstMentions + ` ORDER BY m.place, m.name LIMIT 51`,
		"next":   firstMentions + ` AND (m.place, m.name) > (1048628428800, 'f') ORDER BY m.place, m.name LIMIT 51`,
		"before": firstMentions + ` AND (m.place, m.name) < (1143000268800, 'f') ORDER BY m.place DESC, m.name DESC LIMIT 51`,
		"others": unmentioned + ` ORDER BY a.name LIMIT 51`,
	} {
		rows, err := s.Rows(ctx, `EXPLAIN (ANALYZE, TIMING OFF) `+strings.NewReplacer("$1", "'"+agent+"'", "$2", "''").Replace(query))
		plan, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, line *string) error { return r.Scan(line) })
		if text := strings.Join(plan, "\n"); err != nil || strings.Contains(text, "Seq Scan") || strings.Contains(text, "Sort") && name != "others" {
			t.Errorf("%s: %v\n%s", name, err, text)
		} else {
			t.Log(name, "\n", text)
		}
	}
	rows, err := s.Rows(ctx, `SELECT name FROM (SELECT name, min(place) AS first FROM mentions WHERE agent = $1 GROUP BY name UNION ALL
		SELECT name, 9223372036854775807 FROM attachments a WHERE agent = $1 AND NOT EXISTS (SELECT 1 FROM mentions m WHERE m.agent = $1 AND m.name = a.name)) f
		ORDER BY first, name`, agent)
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, name *string) error { return r.Scan(name) })
	if err != nil || len(all) < 8000 {
		t.Fatalf("%d names, %v", len(all), err)
	}
	// The records of these mentions don't exist, so that Files would leave them out.
	read := func(part store.Slice) (*store.Page[store.File], []string) {
		w := windowOf(part)
		list, err := s.fileNames(ctx, agent, "", w)
		if err != nil {
			t.Fatal(err)
		}
		page := pageOf(w, list)
		var names []string
		for i := range page.Items {
			names = append(names, page.Items[i].Name)
		}
		return page, names
	}
	var forward, backward []string
	page, names := read(store.Slice{N: 1000})
	for forward = names; page.Next != ""; forward = append(forward, names...) {
		page, names = read(store.Slice{N: 1000, After: page.Next})
	}
	for backward = names; page.Prev != ""; backward = append(names, backward...) {
		page, names = read(store.Slice{N: 1000, Before: page.Prev})
	}
	if diff := cmp.Diff(all, forward); diff != "" {
		t.Errorf("pages forward:\n%s", diff)
	}
	if diff := cmp.Diff(all, backward); diff != "" {
		t.Errorf("pages backward:\n%s", diff)
	}
}
