//go:build unix

package sqlstore

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

// pushBody returns a push of n records of about 400 bytes; the changed ones contain version.
func pushBody(workspace string, n, changed, version int) []byte {
	b := fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":"0d4f2a3c-1111-4222-8333-000000000001","name":"Reconciliation"},"runs":[`, workspace)
	item := func(i int) int {
		if i < changed {
			return version
		}
		return 0
	}
	for i := range n / 2 {
		b = fmt.Appendf(b, `{"id":"acme-2026-%05d","ts":"2026-11-20T10:%02d:%02dZ","unit":"acme","period":"2026-10","title":"Statement %d of October","result":"98.6%% matched, %d flagged: prefixed invoice numbers have no bridge rule, and the delivery numbers of two statements are missing","status":"warn","state":"settled","attachments":["acme-%d.html","acme-%d.csv"],"session":{"runtime":"claude-code","model":"m-4","sessionId":"s-%d","tokens":{"input":81234,"output":4200}}},`,
			i, i/60%60, i%60, i, item(i), i, i, i)
	}
	b = append(b[:len(b)-1], `],"asks":[`...)
	for i := range n / 2 {
		b = fmt.Appendf(b, `{"id":"ask-%05d","type":"sign-off","title":"Send statement %d to Acme","ts":"2026-11-20T11:%02d:%02dZ","run":"acme-2026-%05d","found":"The statement is complete but for two delivery numbers","need":"Your approval, version %d","onApprove":["send the statement","file it"],"details":[{"l":"Amount","v":"12,400.00"},{"l":"Due","v":"2026-11-30"}],"attachments":["acme-%d.html"]},`,
			i, i, i/60%60, i%60, i, item(n/2+i), i)
	}
	return append(b[:len(b)-1], `]}`...)
}

// workspaceOf adds a workspace to push to.
func workspaceOf(t testing.TB, s *Store) string {
	t.Helper()
	w := store.Workspace{ID: store.NewID(), Slug: "w-" + store.NewID(), Name: "W"}
	if err := s.AddWorkspace(ctx, store.Act{At: 1}, w, ""); err != nil {
		t.Fatal(err)
	}
	return w.ID
}

// serve returns a function that sends a body to a server that reads and hashes it, and then calls f.
func serve(t testing.TB, f func(body []byte, digest string) error) (post func(body []byte) time.Duration) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := sha256.New()
		body := make([]byte, 0, r.ContentLength+1)
		buffer := bytes.NewBuffer(body)
		if _, err := io.Copy(io.MultiWriter(h, buffer), r.Body); err != nil {
			t.Error(err)
		}
		if err := f(buffer.Bytes(), hex.EncodeToString(h.Sum(nil))); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	return func(body []byte) time.Duration {
		begun := time.Now()
		response, err := http.Post(server.URL, "application/json", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
		return time.Since(begun)
	}
}

// median returns the median of n runs.
func median(n int, f func() time.Duration) time.Duration {
	all := make([]time.Duration, n)
	for i := range all {
		all[i] = f()
	}
	slices.Sort(all)
	return all[n/2]
}

// ingest does what a handler does with a body, without authentication and findings.
func ingest(s *Store, workspace string, at int64) func(body []byte, digest string) error {
	return func(body []byte, digest string) error {
		if _, _, err := s.KnownPush(ctx, digest); err == nil {
			return nil
		} else if !errors.Is(err, store.ErrNotFound) {
			return err
		}
		read, err := figs.ReadPush(body)
		if err != nil {
			return err
		}
		_, err = s.Push(ctx, store.Push{Workspace: workspace, Act: store.Act{At: at}, Digest: digest, Body: read})
		return err
	}
}

// BenchmarkPush (once is enough: -benchtime 1x) measures pushes of 10,000 records relative to reading and hashing the same
// body over HTTP, and the first push relative to a plain loop that inserts as many rows.
func BenchmarkPush(b *testing.B) {
	const n = 10_000
	for range b.N {
		s := openSQLite(b)
		w := workspaceOf(b, s)
		first := pushBody(w, n, 0, 0)
		bare := serve(b, func([]byte, string) error { return nil })
		push := serve(b, ingest(s, w, 1))
		base := median(15, func() time.Duration { return bare(first) })
		opened := push(first)
		unchanged := median(15, func() time.Duration { return push(first) })
		version := 0
		changed := median(15, func() time.Duration {
			version++
			return push(pushBody(w, n, 1, version))
		})
		stale := pushBody(w, n, 1, version)
		again := median(15, func() time.Duration { return push(append(stale, ' ')) }) // unchanged, but not known by its digest
		loop := median(3, func() time.Duration { return insertBare(b, s) })
		b.ReportMetric(float64(len(first))/1e6, "MB")
		b.ReportMetric(float64(base.Microseconds())/1e3, "ms-read")
		b.ReportMetric(float64(unchanged)/float64(base), "×unchanged")
		b.ReportMetric(float64(again)/float64(base), "×unchanged-compared")
		b.ReportMetric(float64(changed)/float64(base), "×one-changed")
		b.ReportMetric(float64(opened)/float64(loop), "×first")
		b.ReportMetric(float64(loop.Milliseconds()), "ms-bare-loop")
	}
}

// insertBare copies what the first push wrote row by row into a new database.
func insertBare(b *testing.B, from *Store) time.Duration {
	b.Helper()
	to := openSQLite(b)
	workspaceOf(b, to)
	tables := []struct {
		name, columns string
		rows          [][]any
	}{{"agents", "*", nil}, {"workspaces", "*", nil}, {"records", "*", nil}, {"trail", "*", nil}, {"mentions", "*", nil}, {"search", "rowid, scope, body", nil}}
	for i := range tables {
		t := &tables[i]
		if t.name == "search" { // its content is not kept
			for _, row := range tables[2].rows {
				t.rows = append(t.rows, []any{row[0], sqldb.ScopeWord("w", row[2].(string)) + " " + sqldb.ScopeWord("a", row[1].(string)), sqldb.DocWords([]byte(row[6].(string)))})
			}
			continue
		}
		rows, err := from.Read.Query("SELECT * FROM " + t.name)
		if err != nil {
			b.Fatal(err)
		}
		columns, _ := rows.Columns()
		for rows.Next() {
			row := make([]any, len(columns))
			at := make([]any, len(columns))
			for k := range row {
				at[k] = &row[k]
			}
			if err := rows.Scan(at...); err != nil {
				b.Fatal(err)
			}
			t.rows = append(t.rows, row)
		}
		rows.Close()
		t.columns = columns[0]
		for _, c := range columns[1:] {
			t.columns += ", " + c
		}
	}
	tables[0], tables[1] = tables[1], tables[0]
	begun := time.Now()
	tx, err := to.Write.Begin()
	if err != nil {
		b.Fatal(err)
	}
	for _, t := range tables {
		places := "$1"
		for k := range len(t.rows[0]) - 1 {
			places += fmt.Sprintf(", $%d", k+2)
		}
		stmt, err := tx.Prepare("INSERT INTO " + t.name + " (" + t.columns + ") VALUES (" + places + ")")
		if err != nil {
			b.Fatal(err)
		}
		for _, row := range t.rows {
			if _, err := stmt.Exec(row...); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
	return time.Since(begun)
}

// charterOf returns an agent.json of about 1.5 KB.
func charterOf(i int) string {
	return fmt.Sprintf(`{"id":"agent","name":"Agent %d","role":"Matches statements","status":"active","org":{"department":"Department %d"},"avatar":{"seed":"seed-%d"},"mandate":%q,"steps":[%q,%q],"responsibilities":[%q,%q],"properties":[{"k":"Owner","v":"Finance"}],"units":[{"id":"acme","name":"Acme","stats":[{"l":"Open","v":"3"}]}]}`,
		i, i%12, i, strings.Repeat("Match every statement. ", 10), strings.Repeat("Read it. ", 20), strings.Repeat("Send it. ", 20), strings.Repeat("Keep it. ", 20), strings.Repeat("Show it. ", 20))
}

// fill adds a workspace with agents and asks, of which some are open, without pushing them. Each agent has a job in flight,
// which its asks name, and settled ones.
func fill(b testing.TB, s *Store, agents, asks, open int) (workspace string) {
	b.Helper()
	workspace = workspaceOf(b, s)
	const settled = 50
	err := s.update(ctx, func(c *storeTx) error {
		for i := range agents {
			if _, err := c.Exec(ctx, `INSERT INTO agents (id, workspace, name, charter, department, manager, builder, version, digest, findings, errors, warnings, infos,
				registered_at, pushed_at, pushed_by, seq, messages_seq, jobs, in_flight, failed, warned, unknown, asks, needs, waiting, closed, messages, orphans, files, refused, oldest, first_at, first_kind, last_at, last_ts)
				VALUES ($1, $2, $3, $4, $5, 'ana', '', 1, '', '', 0, 0, 0, 1, 1, '', 1, 1, $6, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '')`,
				fmt.Sprintf("agent-%d-%d", asks, i), workspace, fmt.Sprintf("Agent %d", i), charterOf(i), fmt.Sprintf("Department %d", i%12), settled+1); err != nil {
				return err
			}
		}
		numbers, err := c.Numbers(ctx, asks+agents*(settled+1))
		if err != nil {
			return err
		}
		rows := make([][]any, 0, len(numbers))
		add := func(agent string, kind int, id, fold string, f facts) {
			rows = append(rows, append([]any{numbers[len(rows)], agent, workspace, kind, id, len(rows), fold, len(rows), 1, f.at, f.at, 0, "", 1}, f.values()...))
		}
		const noon = 1795176000_000000
		for i := range agents {
			agent := fmt.Sprintf("agent-%d-%d", asks, i)
			beats := activityCounts{}
			for k := range settled + 1 {
				f := facts{title: "October", at: noon - int64(k)*40_000_000_000, state: k % 3, lane: laneNone, tokens: int64(1000 * k), session: fmt.Sprint("s", k/2)}
				if k == 0 {
					f.state = int(figs.OutcomeInFlight)
				}
				beats.addOutcome(nil, &f)
				beats.addLine(figs.Runs, f.at)
				add(agent, sqldb.KindRun, fmt.Sprint("run-", k), fmt.Sprintf(`{"id":"run-%d","ts":"2026-11-20T10:00:00Z","title":"October","result":"98%% matched","status":"ok"}`, k), f)
			}
			if err := c.addActivity(ctx, workspace, beats, "", agent); err != nil {
				return err
			}
		}
		for i := range asks {
			phase, lane := figs.Resolved, laneClosed
			if i%(asks/open) == 0 {
				phase, lane = figs.NeedsYou, laneNeeds
			}
			at := int64(noon - 200_000_000_000 + i*1_000_000)
			f := facts{title: fmt.Sprintf("Send statement %d to Acme", i), kind: "sign-off", unit: "acme", ts: "2026-11-20T10:00:00Z", at: at, run: "run-0",
				state: int(phase), lane: lane, round: 1, since: at, raised: at, answered: figs.NoTime, tokens: -1}
			if lane == laneClosed {
				f.answered = at + int64(i)
			}
			fold := fmt.Sprintf(`{"id":"ask-%d","type":"sign-off","title":"Send statement %d to Acme","ts":"2026-11-20T11:00:00Z","run":"run-0","found":"The statement is complete but for two delivery numbers","need":"Your approval, version 1","onApprove":["send the statement","file it"],"details":[{"l":"Amount","v":"12,400.00"},{"l":"Due","v":"2026-11-30"}],"attachments":["acme-1.html"]}`, i, i)
			add(fmt.Sprintf("agent-%d-%d", asks, i%agents), sqldb.KindAsk, fmt.Sprintf("ask-%d", i), fold, f)
		}
		return c.Insert(ctx, "records", recordColumns, rows)
	})
	if err != nil {
		b.Fatal(err)
	}
	return workspace
}

// BenchmarkInbox reads the first 50 of 300 open asks among a growing number of closed ones.
func BenchmarkInbox(b *testing.B) {
	for _, asks := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(asks), func(b *testing.B) {
			s := openSQLite(b)
			j := storejournal.New(s, fill(b, s, 500, asks, 300), noonOfTests)
			for name, q := range map[string]journal.InboxQuery{"everybody": {Everybody: true, Mine: "ana"}, "mine": {Mine: "ana"}, "closed": {Tab: journal.TabClosed},
				"department": {Department: "Department 3"}, "closed-department": {Department: "Department 3", Tab: journal.TabClosed}, "closed-mine": {Mine: "ana", Tab: journal.TabClosed}} {
				b.Run(name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						in, err := j.Inbox(ctx, q)
						if err != nil || len(in.Items) < 20 || in.Needs < 20 || len(in.Agents) != 500 || len(in.Departments) != 12 {
							b.Fatalf("%+v, %v", in, err)
						}
					}
				})
			}
		})
	}
}

const noonOfTests = 1795176000_000000 // 2026-11-20T12:00:00Z

// BenchmarkPages reads the other pages about all agents: 500 of them, with a growing number of asks.
func BenchmarkPages(b *testing.B) {
	for _, asks := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(asks), func(b *testing.B) {
			s := openSQLite(b)
			j := storejournal.New(s, fill(b, s, 500, asks, 300), noonOfTests)
			for name, page := range map[string]func() error{
				"chart":  func() error { return second(j.Chart(ctx, journal.ChartQuery{})) },
				"trends": func() error { return second(j.Trends(ctx, journal.TrendsQuery{})) },
				"year":   func() error { return second(j.Trends(ctx, journal.TrendsQuery{Days: 364})) },
				"agent":  func() error { return second(j.Overview(ctx, fmt.Sprintf("agent-%d-7", asks))) },
			} {
				b.Run(name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if err := page(); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}

// BenchmarkMessagesSeq measures a sync with nothing new.
func BenchmarkMessagesSeq(b *testing.B) {
	s := openSQLite(b)
	fill(b, s, 500, 1000, 300)
	for b.Loop() {
		if _, _, err := s.MessagesSeq(ctx, "agent-1000-7"); err != nil {
			b.Fatal(err)
		}
	}
}
