//go:build unix

package sqlstore

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

// TestPagesSearchIndexes tests that no query of a page scans a table that grows with pushes.
func TestPagesSearchIndexes(t *testing.T) {
	s := openSQLite(t)
	workspace := workspaceOf(t, s)
	body := pushBody(workspace, 20, 0, 0)
	if err := ingest(s, workspace, noonOfTests)(body, ""); err != nil {
		t.Fatal(err)
	}
	const agent = "0d4f2a3c-1111-4222-8333-000000000001"
	j := storejournal.New(s, workspace, noonOfTests)
	q := journal.Query{Text: "statement"}
	ask := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	for _, x := range []journal.InboxQuery{{}, {Mine: "ana"}, {Everybody: true, Agent: agent, Type: "question", To: "manager", MinWaitHours: 1}, {Department: "D"},
		{Tab: journal.TabWaiting}, {Tab: journal.TabReported, Mine: "ana"}, {Tab: journal.TabReported, Type: "other"}, {Tab: journal.TabSnoozed, Viewer: "ana"}, {Tab: journal.TabClosed, Agent: agent}, {Tab: journal.TabClosed, Type: "question"}} {
		_, err := j.Inbox(ctx, x)
		ask("inbox", err)
	}
	for what, err := range map[string]error{
		"chart": second(j.Chart(ctx, journal.ChartQuery{})), "trends": second(j.Trends(ctx, journal.TrendsQuery{})), "trends of one": second(j.Trends(ctx, journal.TrendsQuery{Agent: agent})),
		"everywhere": second(j.SearchAll(ctx, q)), "refusals": second(j.Refusals(ctx, agent)), "overview": second(j.Overview(ctx, agent)),
		"activity": second(j.Activity(ctx, agent)), "jobs": second(j.Jobs(ctx, agent, q)), "asks": second(j.Asks(ctx, agent, journal.Query{})),
		"job": second(j.Job(ctx, agent, "acme-2026-00001")), "ask": second(j.Ask(ctx, agent, "ask-00001")), "messages": second(j.Messages(ctx, agent, q)),
		"files": second(j.Files(ctx, agent, journal.Query{})), "file": second(j.File(ctx, agent, "acme-1.html")), "search": second(j.Search(ctx, agent, q)),
		"folds": second(s.Folds(ctx, agent, figs.Runs, []string{"a"})), "sync": second(s.AttachmentsBySHA(ctx, workspace, "x")),
		"decisions": second(s.ListDecisionDetails(ctx, workspace, store.DecisionQuery{Below: store.DecisionPlace{At: 1 << 60}})), "titles": second(s.AskRecords(ctx, workspace, []store.AskRef{{Agent: agent, Ask: "ask-00001"}})),
		"report": second(s.DecisionFacts(ctx, workspace, 0, 1)), "failed": second(s.failedSince(ctx, workspace, 0)),
		"job counts": second(s.JobCounts(ctx, workspace, nil, 0, 1)), "of agents": second(s.JobCounts(ctx, workspace, []string{agent}, 0, 1)), "failed jobs": second(s.FailedJobs(ctx, workspace, 0, 1)),
		"open":    second(s.OpenAskFacts(ctx, workspace, 1)),
		"decided": second(s.DecisionTitles(ctx, workspace, []int64{1})), "asked": second(s.AskTitles(ctx, workspace, []int64{1})),
		"audit": second(s.Audit(ctx, workspace, store.AuditQuery{N: 50})), "news": second(s.PlanInput(ctx, workspace, noonOfTests)), "changes": second(s.changeRequests(ctx, workspace, []int64{1})),
		"unread":     second(s.UnreadNotifications(ctx, "ana", workspace)),
		"ask titles": second(s.AsksByTitle(ctx, workspace, "statement", 8)),
	} {
		ask(what, err)
	}
	// What is planned next is about what has changed and the time that has passed since, not about the roster.
	if _, err := s.Write.ExecContext(ctx, `INSERT INTO notify_cursors (workspace, seq, at) VALUES ($1, 1000000, $2)`, workspace, noonOfTests-hour); err != nil {
		t.Fatal(err)
	}
	if _, err := s.PlanInput(ctx, workspace, noonOfTests); err != nil {
		t.Fatal(err)
	}
	since := regexp.MustCompile(`\b[rh]\.(seq|changed_at|ended_at) > \$`)
	// Their names in queries are the tables' names or these aliases.
	// An index by the workspace alone, or by it and the kind, is as good as none. So is that of an agent's changed messages without
	// the number since which they changed.
	grows := regexp.MustCompile(`SCAN (records|r|x|j|trail|t|messages|m|mentions|attachments|a|pulse|charters|refusals|decisions|y)\b|INDEX (records_changed \(workspace=\?|messages_changed \(agent=\?|records_state \(workspace=\? AND kind=\?)\)`)
	replanned := replannedParameters(t, s)
	n := 0
	s.Prepared.Range(func(query, _ any) bool {
		n++
		for table, parameter := range replanned {
			if strings.Contains(query.(string), table) && parameter.MatchString(query.(string)) {
				t.Errorf("%s\nis prepared again each time it runs: its parameter may satisfy the condition of an index", query)
			}
		}
		var args []any
		for strings.Contains(query.(string), "$"+strconv.Itoa(len(args)+1)) {
			args = append(args, "")
		}
		rows, err := s.Read.Query("EXPLAIN QUERY PLAN "+query.(string), args...)
		plan, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, line *string) error {
			var a, b, c int
			return r.Scan(&a, &b, &c, line)
		})
		if text := strings.Join(plan, "; "); err != nil || grows.MatchString(text) {
			t.Errorf("%s\nis planned as %s (%v)", query, text, err)
		} else if m := since.FindStringSubmatch(query.(string)); m != nil && !strings.Contains(text, m[1]+">?") {
			t.Errorf("%s\nis planned as %s: not by %s", query, text, m[1])
		}
		return true
	})
	if n < 30 {
		t.Errorf("only %d queries", n)
	}
}

// replannedParameters returns, by table, what must not be in a query: a column compared with a parameter alone, if a partial
// index has that column in its condition. SQLite plans with the parameter's value then, so each value needs another plan.
func replannedParameters(t *testing.T, s *Store) map[string]*regexp.Regexp {
	t.Helper()
	rows, err := s.Read.Query(`SELECT tbl_name, substr(sql, instr(sql, ' WHERE ')) FROM sqlite_master WHERE type = 'index' AND instr(sql, ' WHERE ') > 0`)
	type index struct{ table, condition string }
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *index) error { return r.Scan(&x.table, &x.condition) })
	if err != nil || len(all) < 10 {
		t.Fatalf("%d partial indexes: %v", len(all), err)
	}
	columns := map[string][]string{}
	for _, x := range all {
		for _, m := range regexp.MustCompile(`(\w+) = `).FindAllStringSubmatch(x.condition, -1) {
			columns[x.table] = append(columns[x.table], m[1])
		}
	}
	found := map[string]*regexp.Regexp{}
	for table, names := range columns {
		found[table] = regexp.MustCompile(`\b(` + strings.Join(names, "|") + `) = \$\d+(?: [^|]|\)|$)`)
	}
	return found
}

func second[T any](_ T, err error) error { return err }
