//go:build unix

package sqlstore

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// decideAll fills a workspace, and adds a decision on each ask that is closed, a minute apart, and a failed job of each agent
// that asks name.
func decideAll(t testing.TB, s *Store, agents, asks int) (workspace string, first int64) {
	t.Helper()
	workspace = fill(t, s, agents, asks, 300)
	first = noonOfTests - 364*24*hour
	step := int64(364 * 24 * hour / asks)
	err := s.update(ctx, func(c *storeTx) error {
		if _, err := c.Exec(ctx, `INSERT INTO users (id, email, name, password, created_at) SELECT 'u', 'u@example.com', 'U', '', 0 WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = 'u')`); err != nil {
			return err
		}
		numbers, err := c.Numbers(ctx, asks)
		if err != nil {
			return err
		}
		rows := make([][]any, asks)
		for i := range rows {
			made := first + int64(i)*step
			rows[i] = []any{numbers[i], workspace, fmt.Sprintf("agent-%d-%d", asks, i%agents), fmt.Sprintf("ask-%d", i), fmt.Sprintf("d-%d", i), "u", fmt.Sprintf("form-%d-%d", asks, i), "{}", "", "[]", "", made, made, 1, made, "", 1,
				[]int{1, 2, 2, 3}[i%4], 1 + i%5/4, int64(i%1000) * 60_000_000, i%7/6 - i%2, "run-0"}
		}
		if err := c.Insert(ctx, "decisions", "no, workspace, agent, ask, id, person, form, line, revision, files, notes, made_at, effective_at, fate, ended_at, audit, seq, outcome, round, waited, unviewed, run", rows); err != nil {
			return err
		}
		_, err = c.Exec(ctx, `UPDATE records SET state = 2, at = $2 WHERE workspace = $1 AND kind = 0 AND id = 'run-0'`, workspace, int64(noonOfTests))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return workspace, first
}

// cpuTime is the processor time that the test has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkReports reads what the page of reports needs, of 100,000 asks in a year, for each period.
func BenchmarkReports(b *testing.B) {
	s := openSQLite(b)
	workspace, _ := decideAll(b, s, 1000, 100_000)
	for _, days := range []int64{28, 91, 364} {
		from := noonOfTests - days*24*hour
		for name, read := range map[string]func() error{
			"decisions": func() error { return second(s.DecisionFacts(ctx, workspace, from, noonOfTests)) },
			"failed":    func() error { return second(s.failedSince(ctx, workspace, from)) },
			"jobs":      func() error { return second(s.JobCounts(ctx, workspace, nil, from, noonOfTests)) },
			"failures":  func() error { return second(s.FailedJobs(ctx, workspace, from, noonOfTests)) },
			"open":      func() error { return second(s.OpenAskFacts(ctx, workspace, noonOfTests)) },
		} {
			b.Run(fmt.Sprint(name, "-", days), func(b *testing.B) {
				begun := cpuTime()
				for b.Loop() {
					if err := read(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(cpuTime()-begun)/float64(b.N)/1e6, "cpu-ms/op") // other programs don't count
			})
		}
	}
}

// TestDecisionFactsDerived tests that deriving decisions again gives what was stored when they were made, over random
// histories.
func TestDecisionFactsDerived(t *testing.T) {
	s := openSQLite(t)
	workspace := workspaceOf(t, s)
	at := int64(noonOfTests)
	const agent = "0d4f2a3c-1111-4222-8333-000000000001"
	if err := s.AddUser(ctx, store.Act{At: at}, store.User{ID: "ana", Email: "ana@acme.example", Name: "Ana", Created: at}); err != nil {
		t.Fatal(err)
	}
	if err := s.SetMember(ctx, store.Act{At: at}, workspace, "ana", store.Owner); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	stamp := func() string { return time.UnixMicro(at).UTC().Format(time.RFC3339) }
	decided, denied := 0, 0
	for i := range 120 {
		at += 1_000_000 * int64(1+r.IntN(5000))
		ask := fmt.Sprint("ask-", r.IntN(12))
		switch r.IntN(4) {
		case 0, 1:
			body := fmt.Sprintf(`{"workspaceId":%q,"agent":{"id":%q,"name":"Reconciliation"},"asks":[{"id":%q,"type":"sign-off","title":"T %d","ts":%q,"onApprove":["send"]}]}`, workspace, agent, ask, i, stamp())
			if err := ingest(s, workspace, at)([]byte(body), ""); err != nil {
				t.Fatal(err)
			}
		case 2:
			body := fmt.Sprintf(`{"workspaceId":%q,"agent":{"id":%q,"name":"Reconciliation"},"messages":[{"id":"m-%d","kind":"verdict","verdict":%q,"ask":%q,"by":"Ana","ts":%q,"text":"t"}]}`,
				workspace, agent, i, []string{"approved", "rejected"}[r.IntN(2)], ask, stamp())
			if err := ingest(s, workspace, at)([]byte(body), ""); err != nil {
				t.Fatal(err)
			}
		}
		at += 1_000_000 * int64(1+r.IntN(5000))
		x, err := s.Record(ctx, agent, figs.Asks, ask)
		if err != nil {
			continue
		}
		line := fmt.Sprintf(`{"id":"d-%d","kind":"verdict","verdict":%q,"ask":%q,"by":"Ana","ts":%q,"source":"app","text":"t","reviewed":[{"name":"a","opened":%t}]}`,
			i, []string{"approved", "rejected", "changes-requested"}[r.IntN(3)], ask, stamp(), r.IntN(2) == 0)
		if _, err := s.Decide(ctx, store.Act{By: "ana", At: at}, store.DecisionInput{Workspace: workspace, Agent: agent, Ask: ask, Line: []byte(line), Key: fmt.Sprint("k", i), Saw: store.View{Revision: store.RevisionOf(x)}}); err != nil {
			continue
		}
		at += store.UndoWindow
		if _, err := s.Settle(ctx, at); err != nil {
			t.Fatal(err)
		}
		decided++
	}
	before, err := s.DecisionFacts(ctx, workspace, 0, 1<<60)
	if err != nil || len(before) != decided || decided < 30 {
		t.Fatalf("%d decisions of %d, %v", len(before), decided, err)
	}
	if err := s.update(ctx, func(c *storeTx) error {
		_, err := c.Exec(ctx, `UPDATE decisions SET outcome = -1, round = 0, waited = -1, unviewed = -1`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.deriveDecisions(ctx); err != nil {
		t.Fatal(err)
	}
	after, err := s.DecisionFacts(ctx, workspace, 0, 1<<60)
	if err != nil {
		t.Fatal(err)
	}
	for i := range before {
		if before[i].Outcome == store.OutcomeContradicted {
			denied++
		}
		if before[i] != after[i] {
			t.Errorf("stored %+v, derived %+v", before[i], after[i])
		}
	}
	if denied == 0 {
		t.Error("no reported approval was contradicted")
	}
}

// TestEndedWeek tests that each week ends once, at 06:00 UTC on the Monday after it, however time is cut.
func TestEndedWeek(t *testing.T) {
	monday := time.Date(2026, 11, 23, 6, 0, 0, 0, time.UTC).UnixMicro()
	for _, x := range []struct {
		from, to int64
		want     string
	}{{0, monday, ""}, {monday - 1, monday, "2026-W47"}, {monday - 1, monday - 1, ""}, {monday, monday + 1, ""}, {monday - 24*hour, monday + 3*24*hour, "2026-W47"}, {monday, monday + 6*24*hour, ""}, {monday, monday + 7*24*hour, "2026-W48"}} {
		if got := endedWeek(x.from, x.to); got != x.want {
			t.Errorf("from %d to %d: %q, want %q", x.from-monday, x.to-monday, got, x.want)
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	ended := map[string]int{}
	for at := monday - 1; at < monday+60*7*24*hour; {
		next := at + r.Int64N(3*24*hour)
		if week := endedWeek(at, next); week != "" {
			ended[week]++
		}
		at = next
	}
	for week, n := range ended {
		if n != 1 {
			t.Errorf("%s ends %d times", week, n)
		}
	}
	if len(ended) < 60 {
		t.Errorf("%d weeks end", len(ended))
	}
}
