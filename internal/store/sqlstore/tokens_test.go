//go:build unix

package sqlstore

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// TestDayCountsAreSums tests that what is counted by the day is what the records add up to, after any pushes, corrections
// and erasures.
func TestDayCountsAreSums(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		for seed := range uint64(6) {
			dayCountsAreSums(t, openSQLite(t), seed)
		}
	})
	t.Run("postgres", func(t *testing.T) { dayCountsAreSums(t, openPostgres(t, storetest.SharedPostgres(t)), 9) })
}

func dayCountsAreSums(t *testing.T, s *Store, seed uint64) {
	t.Helper()
	s.largePush, s.partSize = 12, 5 // some pushes are stored in parts
	r := rand.New(rand.NewPCG(seed, 27))
	workspace := workspaceOf(t, s)
	agents := []string{"0d4f2a3c-1111-4222-8333-000000000001", "0d4f2a3c-1111-4222-8333-000000000002"}
	job := func(n int) string {
		var b strings.Builder
		fmt.Fprintf(&b, `{"id":"job-%d","ts":"2026-11-%02dT%02d:00:00Z"`, n, 10+r.IntN(5), r.IntN(24))
		if state := r.IntN(5); state > 0 {
			fmt.Fprintf(&b, `,"state":"settled","status":%q`, []string{"ok", "warn", "fail", "odd"}[state-1])
		} else {
			b.WriteString(`,"state":"in-flight"`)
		}
		switch session := r.IntN(5); session {
		case 0:
		case 1:
			fmt.Fprintf(&b, `,"session":{"tokens":{"input":%d}}`, r.IntN(1000))
		default:
			fmt.Fprintf(&b, `,"session":{"sessionId":"s%d","tokens":{"input":%d}}`, session, r.IntN(9))
		}
		b.WriteString("}")
		return b.String()
	}
	for step := range 30 {
		agent, at := agents[r.IntN(2)], int64(1795600000_000000+step)
		switch {
		case step > 3 && r.IntN(4) == 0:
			kind, id := store.EraseRun, fmt.Sprintf("job-%d", r.IntN(20))
			if _, err := s.Erase(ctx, store.Act{At: at}, store.Erasure{Workspace: workspace, Agent: agent, Kind: kind, ID: id, Why: "x"}); err != nil && err != store.ErrNotFound {
				t.Fatal(err)
			}
		default:
			runs := map[int]string{}
			for range 1 + r.IntN(20) {
				n := r.IntN(20)
				runs[n] = job(n)
			}
			list := make([]string, 0, len(runs))
			for _, run := range runs {
				list = append(list, run)
			}
			body := `{"workspaceId":"` + workspace + `","agent":{"id":"` + agent + `","name":"A"},"runs":[` + strings.Join(list, ",") + `],"asks":[{"id":"a` + fmt.Sprint(r.IntN(4)) +
				`","type":"question","ts":"2026-11-1` + fmt.Sprint(r.IntN(5)) + `T10:00:00Z","title":"T","need":"N"}]}`
			if err := ingest(s, workspace, at)([]byte(body), ""); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(sumsOfRecords(t, s), storedSums(t, s)); diff != "" {
			t.Fatalf("seed %d, step %d: the records (-) and the days (+):\n%s", seed, step, diff)
		}
	}
	before := storedSums(t, s)
	if _, err := s.Reindex(ctx); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, storedSums(t, s)); diff != "" {
		t.Errorf("seed %d: before and after Reindex:\n%s", seed, diff)
	}
	migrateTokens(t, s)
	if diff := cmp.Diff(before, storedSums(t, s)); diff != "" {
		t.Errorf("seed %d: as counted, and as the migration counts:\n%s", seed, diff)
	}
	used, err := s.TokenUsage(ctx, workspace, "", 0, 1<<60)
	if sums := storedSums(t, s); err != nil || used.Sum == 0 || used.Jobs == 0 || len(sums) < 40 {
		t.Errorf("seed %d: %+v of %d sums, %v", seed, used, len(sums), err)
	}
}

// migrateTokens counts tokens as the migration does.
func migrateTokens(t *testing.T, s *Store) {
	t.Helper()
	steps, err := sqldb.MigrationSteps(sqldb.Migrations, s.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	step := steps[slices.IndexFunc(steps, func(m sqldb.Migration) bool { return m.Name == "sums" })]
	err = s.update(ctx, func(c *storeTx) error {
		if _, err := c.Exec(ctx, `DELETE FROM pulse WHERE what IN (30, 31)`); err != nil {
			return err
		}
		for _, statement := range strings.Split(step.SQL, ";\n") {
			if i := strings.Index(statement, "INSERT"); i >= 0 {
				if _, err := c.Exec(ctx, statement[i:]); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// storedSums returns what is counted by the day, but for the lines of ledgers.
func storedSums(t *testing.T, s *Store) map[string]int {
	t.Helper()
	rows, err := s.Rows(ctx, `SELECT agent, what, hour, n FROM pulse WHERE what >= 10 AND n <> 0`)
	sums := map[string]int{}
	type row struct {
		agent         string
		what, hour, n int
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row) error { return r.Scan(&x.agent, &x.what, &x.hour, &x.n) })
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range all {
		sums[fmt.Sprint(x.agent, " ", x.what, " ", x.hour)] = x.n
	}
	return sums
}

// sumsOfRecords returns the same, added up from the columns of records.
func sumsOfRecords(t *testing.T, s *Store) map[string]int {
	t.Helper()
	rows, err := s.Rows(ctx, `SELECT agent, kind, state, at, raised, session, tokens FROM records`)
	type row struct {
		agent, session     string
		kind, state        int
		at, raised, tokens int64
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row) error {
		return r.Scan(&x.agent, &x.kind, &x.state, &x.at, &x.raised, &x.session, &x.tokens)
	})
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]int{}
	add := func(agent string, what int, at int64, n int) {
		for _, agent := range []string{agent, ""} {
			key := fmt.Sprint(agent, " ", what, " ", at/86400_000000*24)
			if sums[key] += n; sums[key] == 0 {
				delete(sums, key)
			}
		}
	}
	largest := map[[2]string]row{}
	for _, x := range all {
		switch {
		case x.kind == sqldb.KindAsk:
			add(x.agent, 20, x.raised, 1)
			continue
		case figs.Outcome(x.state) == figs.OutcomeInFlight:
			continue
		}
		add(x.agent, 10+x.state, x.at, 1)
		if x.tokens < 0 {
			continue
		}
		add(x.agent, 31, x.at, 1)
		if x.session == "" {
			add(x.agent, 30, x.at, int(x.tokens))
			continue
		}
		key := [2]string{x.agent, x.session}
		if was, known := largest[key]; !known || x.tokens > was.tokens || x.tokens == was.tokens && x.at > was.at {
			largest[key] = x
		}
	}
	for key, x := range largest {
		add(key[0], 30, x.at, int(x.tokens))
	}
	return sums
}
