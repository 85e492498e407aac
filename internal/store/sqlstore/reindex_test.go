//go:build unix

package sqlstore

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// TestReindexFromTrails tests that Reindex rebuilds everything that is derived, including the folds.
func TestReindexFromTrails(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { reindexFromTrails(t, openSQLite(t), "DELETE FROM search") })
	t.Run("postgres", func(t *testing.T) {
		reindexFromTrails(t, openPostgres(t, storetest.SharedPostgres(t)), "TRUNCATE search")
	})
}

func reindexFromTrails(t *testing.T, s *Store, forget string) {
	w := workspaceOf(t, s)
	const agent = "0d4f2a3c-1111-4222-8333-000000000001"
	for i := range 3 {
		body := append(pushBody(w, 40, i*10, i), ' ')
		body = []byte(strings.Replace(string(body), `"asks":[`, fmt.Sprintf(`"messages":[{"id":"m%d","kind":"answer","ask":"ask-0000%d","text":"t","by":"Ana","ts":"2026-11-20T12:00:00Z"}],"asks":[`, i, i), 1))
		read, err := figs.ReadPush(body)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Push(ctx, store.Push{Workspace: w, Act: store.Act{At: int64(1795200000_000000 + i)}, Body: read}); err != nil {
			t.Fatal(err)
		}
	}
	look := func() []any {
		t.Helper()
		hash, err := s.StateHash(ctx)
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.Agent(ctx, agent)
		if err != nil {
			t.Fatal(err)
		}
		a.Seq, a.MessagesSeq = 0, 0
		all := []any{hash, a}
		for _, file := range []figs.File{figs.Runs, figs.Asks} {
			list, err := s.Records(ctx, store.RecordQuery{Agent: agent, File: file, Slice: store.Slice{N: 100}})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, list)
		}
		files, err := s.Files(ctx, agent, "", store.Slice{N: 100})
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.Search(ctx, store.SearchQuery{Workspace: w, Text: "prefixed", N: 100})
		if err != nil {
			t.Fatal(err)
		}
		in, err := s.Inbox(ctx, store.InboxQuery{Workspace: w, Tab: store.TabReported})
		if err != nil {
			t.Fatal(err)
		}
		return append(all, files, found.Hits, in.Items)
	}
	before := look()
	if reported := before[len(before)-1].([]store.InboxItem); len(reported) != 3 || reported[0].ReportedBy != "Ana" {
		t.Errorf("reported: %+v", reported)
	}
	for _, damage := range []string{
		`UPDATE records SET fold = '{"id":"x"}', versions = 0, received_at = 0, changed_at = 0, closed_at = 0, title = '', type = '', asked = '', unit = '', run = '', ts = '',
			at = 0, state = 0, lane = CASE kind WHEN 0 THEN -1 ELSE 0 END, round = 0, reported = 0, since = 0, named = 'x', named_key = 'x'`,
		`UPDATE agents SET jobs = 7, in_flight = 7, failed = 7, warned = 7, unknown = 7, asks = 7, needs = 7, waiting = 7, closed = 7, messages = 7, files = 7, oldest = 7, last_at = 7, last_ts = 'x'`,
		`UPDATE messages SET ask = '', at = 0`, `DELETE FROM mentions`, forget,
	} {
		if _, err := s.Write.Exec(damage); err != nil {
			t.Fatal(err)
		}
	}
	if cmp.Equal(before, look()) {
		t.Fatal("the damage does not show")
	}
	changed, err := s.Reindex(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(changed) != 1 || changed[0].Agent != agent || changed[0].Asks == 0 {
		t.Errorf("reindexing says %+v", changed)
	}
	if diff := cmp.Diff(before, look()); diff != "" {
		t.Errorf("after reindexing (-before +after):\n%s", diff)
	}
}

// TestReindexCountsAsks tests that Reindex repairs asks that were derived by an older rule or damaged, and returns how many
// asks of which agents it has changed. Running it again changes nothing.
func TestReindexCountsAsks(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { reindexCountsAsks(t, openSQLite(t)) })
	t.Run("postgres", func(t *testing.T) { reindexCountsAsks(t, openPostgres(t, storetest.SharedPostgres(t))) })
}

func reindexCountsAsks(t *testing.T, s *Store) {
	w := workspaceOf(t, s)
	workspace, err := s.Workspace(ctx, w)
	if err != nil {
		t.Fatal(err)
	}
	agents := []string{"0d4f2a3c-1111-4222-8333-000000000001", "0d4f2a3c-1111-4222-8333-000000000002", "0d4f2a3c-1111-4222-8333-000000000003"}
	for _, agent := range agents {
		// Each ask was answered and raised again before its first push.
		var asks, messages []string
		for i := range 4 {
			asks = append(asks, fmt.Sprintf(`{"id":"a%d","type":"sign-off","title":"T","to":"manager","ts":"2026-11-20T17:05:00Z"}`, i))
			messages = append(messages, fmt.Sprintf(`{"id":"m%d","kind":"verdict","verdict":"changes-requested","text":"t","ask":"a%d","by":"Ana","ts":"2026-11-20T16:30:00Z"}`, i, i))
		}
		body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"N"},"asks":[%s],"messages":[%s]}`, w, agent, strings.Join(asks, ","), strings.Join(messages, ",")))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Push(ctx, store.Push{Workspace: w, Act: store.Act{At: 1795200000_000000}, Body: body}); err != nil {
			t.Fatal(err)
		}
	}
	inbox := func() []store.InboxItem {
		t.Helper()
		in, err := s.Inbox(ctx, store.InboxQuery{Workspace: w, Slice: store.Slice{N: 100}})
		if err != nil {
			t.Fatal(err)
		}
		return in.Items
	}
	before := inbox()
	if len(before) != 12 || before[0].Round != 2 {
		t.Fatalf("the inbox: %+v", before)
	}
	for _, damage := range []struct {
		set  string
		want []int // by agent: asks that change
	}{
		// What an older version of this program derived: being revised, in the first round.
		{fmt.Sprintf(`state = %d, lane = %d, round = 1, reported = 1, named = 'Ana', named_key = 'ana' WHERE kind = 1 AND (agent = '%s' AND id <> '%s' OR agent = '%s' AND id = '%s')`,
			figs.BeingRevised, laneWaiting, agents[0], sqldb.EncodeID("a0"), agents[2], sqldb.EncodeID("a0")), []int{3, 0, 1}},
		{`round = 7 WHERE kind = 1 AND id = '` + sqldb.EncodeID("a1") + `'`, []int{1, 1, 1}},
		{`since = 7 WHERE kind = 1 AND agent = '` + agents[1] + `'`, []int{0, 4, 0}},
		{`asked = 'builder' WHERE kind = 1 AND id = '` + sqldb.EncodeID("a2") + `'`, []int{1, 1, 1}},
		{`title = 'x', at = 7 WHERE kind = 1`, []int{0, 0, 0}}, // repaired and not counted
	} {
		if _, err := s.Write.Exec(`UPDATE records SET ` + damage.set); err != nil {
			t.Fatal(err)
		}
		var want []store.ReindexedAgent
		for i, n := range damage.want {
			if n > 0 {
				want = append(want, store.ReindexedAgent{Agent: agents[i], Name: "N", Workspace: workspace.Slug, Asks: n})
			}
		}
		for _, want := range [][]store.ReindexedAgent{want, nil} {
			got, err := s.Reindex(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", damage.set, diff)
			}
			if diff := cmp.Diff(before, inbox()); diff != "" {
				t.Errorf("%s: the inbox (-before +after):\n%s", damage.set, diff)
			}
		}
	}
}

// TestInboxUsesItsIndexes tests that each tab is read from its own index, so that closed asks don't slow down open ones.
func TestInboxUsesItsIndexes(t *testing.T) {
	s := openSQLite(t)
	for query, index := range map[string]string{
		`SELECT r.id FROM records r JOIN agents a ON a.id = r.agent WHERE r.lane = 0 AND r.workspace = 'w' ORDER BY r.since, r.no LIMIT 50`:                           "inbox_needs",
		`SELECT count(*) FROM records r WHERE r.lane = 0 AND r.workspace = 'w'`:                                                                                       "inbox_needs",
		`SELECT r.id FROM records r JOIN agents a ON a.id = r.agent WHERE r.lane = 1 AND r.reported = 0 AND r.workspace = 'w' ORDER BY r.at DESC, r.no DESC LIMIT 50`: "inbox_waiting",
		`SELECT r.id FROM records r JOIN agents a ON a.id = r.agent WHERE r.lane = 2 AND r.workspace = 'w' ORDER BY r.at DESC, r.no DESC LIMIT 50`:                    "inbox_closed",
		`SELECT r.id FROM records r WHERE r.agent = 'a' AND r.kind = 0 AND r.lane = -1 ORDER BY r.at DESC, r.no DESC LIMIT 50`:                                        "records_list",
		`SELECT r.id FROM records r WHERE r.agent = 'a' AND r.kind = 1 AND r.lane = 0 ORDER BY r.since, r.no LIMIT 50`:                                                "records_needs",
		`SELECT string_agg(CAST(mark AS TEXT), ',') FROM records WHERE agent = 'a'`:                                                                                   "COVERING INDEX records_list",
		reportedOf(reportArrived) + ` AND r.workspace = 'w'` + reportedOrder + `7) e`:                                                                                 "INDEX inbox_reported", // and of each its newest reply
		`SELECT z.until FROM snoozes z WHERE z.workspace = 'w' AND z.until > 7 ORDER BY z.until`:                                                                      "snoozes_workspace",
		`SELECT c.person FROM claims c WHERE c.workspace = 'w' AND c.until > 7`:                                                                                       "claims_workspace",
		`SELECT d.id FROM decisions d WHERE d.fate = 1 AND d.workspace = 'w' ORDER BY d.made_at DESC, d.no DESC LIMIT 50`:                                             "decisions_list",
		`SELECT d.id FROM decisions d WHERE d.fate = 1 AND d.workspace = 'w' AND d.agent = 'a' AND d.ask = 'x' ORDER BY d.made_at DESC, d.no DESC LIMIT 50`:           "decisions_",
		// Queries of every sync, push and tick of the server, which mostly find nothing.
		`SELECT EXISTS (SELECT 1 FROM messages WHERE agent = 'a' AND verified = 1 AND handed_at = 0 AND seq <= 7)`:                                    "messages_unhanded",
		`SELECT id FROM messages WHERE agent = 'a' AND verified = 1 AND confirmed_at = 0`:                                                             "messages_unconfirmed",
		`SELECT id FROM decisions WHERE fate = 0 AND workspace = 'w' AND agent = 'a'`:                                                                 "decisions_pending",
		`SELECT d.no FROM decisions d JOIN workspaces w ON w.id = d.workspace WHERE d.fate = 0 AND d.effective_at <= 7 ORDER BY d.effective_at, d.no`: "decisions_due",
	} {
		rows, err := s.Read.Query("EXPLAIN QUERY PLAN " + query)
		plan, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, line *string) error {
			var a, b, c int
			return r.Scan(&a, &b, &c, line)
		})
		if text := strings.Join(plan, "; "); err != nil || !strings.Contains(text, index) || strings.Contains(text, "TEMP B-TREE") {
			t.Errorf("%s\nis planned as %s (%v), want %s and no sorting", query, text, err, index)
		}
	}
}
