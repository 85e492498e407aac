//go:build unix

package sqlstore

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

func stepsOf(t *testing.T, d dialect, files map[string]string) ([]migration, error) {
	t.Helper()
	all := fstest.MapFS{}
	for name, text := range files {
		all["migrations/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return steps(all, d)
}

func TestSteps(t *testing.T) {
	files := map[string]string{"0001_a.sql": "CREATE TABLE a (x {{text}})", "0002_b.sqlite.sql": "SELECT 1", "0002_b.postgres.sql": "SELECT 2"}
	for d, want := range map[dialect][2]string{sqlite{}: {"CREATE TABLE a (x TEXT)", "SELECT 1"}, postgres{}: {`CREATE TABLE a (x TEXT COLLATE "C")`, "SELECT 2"}} {
		all, err := stepsOf(t, d, files)
		if err != nil || len(all) != 2 || all[0].sql != want[0] || all[1].sql != want[1] || all[0].checksum == all[1].checksum {
			t.Errorf("steps of %s = %+v, %v, want %q", d.name(), all, err, want)
		}
	}
	for name, files := range map[string]map[string]string{
		"a gap":           {"0001_a.sql": "", "0003_c.sql": ""},
		"two of a number": {"0001_a.sql": "", "0001_b.sql": ""},
		"no number":       {"first.sql": ""},
	} {
		if _, err := stepsOf(t, sqlite{}, files); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, d := range []dialect{sqlite{}, postgres{}} {
		all, err := steps(migrations, d)
		if err != nil || len(all) < 3 {
			t.Errorf("our own steps for %s: %d, %v", d.name(), len(all), err)
		}
		for _, m := range all {
			if strings.Contains(m.sql, "{{") {
				t.Errorf("step %d for %s holds a word in braces that nobody replaces", m.no, d.name())
			}
		}
	}
}

// Migrations go forward only: a database of another or newer program is left alone.
func TestMigrateForwardOnly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figs.db")
	s, err := OpenSQLite(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	all, err := steps(migrations, s.dialect)
	if err != nil {
		t.Fatal(err)
	}
	next := migration{no: len(all) + 1, name: "next", sql: `CREATE TABLE next (x BIGINT); INSERT INTO next VALUES (7)`, checksum: "c"}
	broken := migration{no: len(all) + 2, name: "broken", sql: `CREATE TABLE half (x BIGINT); SELECT nothing FROM nowhere`, checksum: "d"}
	if err := s.run(ctx, append(all[:len(all):len(all)], next, broken)); err == nil || !strings.Contains(err.Error(), "(broken)") {
		t.Errorf("a step that fails: %v", err)
	}
	var n int
	if err := s.write.QueryRow(`SELECT x FROM next`).Scan(&n); n != 7 || err != nil {
		t.Errorf("the step before the one that fails: %d, %v", n, err)
	}
	if err := s.write.QueryRow(`SELECT count(*) FROM half`).Scan(&n); err == nil {
		t.Error("half of a step is there")
	}
	s.Close()
	if _, err := OpenSQLite(ctx, file); err == nil || !strings.Contains(err.Error(), "newer than this program") {
		t.Errorf("opened by the older program: %v", err)
	}
	other := openSQLite(t)
	if _, err := other.write.Exec(`UPDATE migrations SET checksum = 'x' WHERE no = 2`); err != nil {
		t.Fatal(err)
	}
	if err := other.migrate(ctx); err == nil || !strings.Contains(err.Error(), "step 2") {
		t.Errorf("opened with another step 2: %v", err)
	}
}

// Several programs may open an empty database at once.
func TestMigrateAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figs.db")
	atOnce(t, func() (*Store, error) { return OpenSQLite(ctx, file) })
}

func TestMigrateAtOncePostgres(t *testing.T) {
	connection := storetest.StartPostgres(t).Database(t)
	atOnce(t, func() (*Store, error) { return OpenPostgres(ctx, connection) })
}

func atOnce(t *testing.T, open func() (*Store, error)) {
	t.Helper()
	var wait sync.WaitGroup
	for range 5 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			s, err := open()
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if err := s.Ready(ctx); err != nil {
				t.Error(err)
			}
		}()
	}
	wait.Wait()
}

// What two programs write to one file, one after the other or at once, both see.
func TestTwoProgramsOneFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figs.db")
	var stores [2]*Store
	for i := range stores {
		s, err := OpenSQLite(ctx, file)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		stores[i] = s
	}
	var wait sync.WaitGroup
	for _, s := range stores {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for range 20 {
				workspaceOf(t, s)
			}
		}()
	}
	wait.Wait()
	for _, s := range stores {
		if all, err := s.ListWorkspaces(ctx); err != nil || len(all) != 40 {
			t.Errorf("%d workspaces, %v, want 40", len(all), err)
		}
	}
}

// A database that was filled before there were desks says afterwards whom reported asks name, and
// nothing else of it has changed.
func TestUpgradeToDesks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figs.db")
	upgraded(t, func() (*Store, error) { return OpenSQLite(ctx, file) })
}

func TestUpgradeToDesksPostgres(t *testing.T) {
	connection := storetest.StartPostgres(t).Database(t)
	upgraded(t, func() (*Store, error) { return OpenPostgres(ctx, connection) })
}

func upgraded(t *testing.T, open func() (*Store, error)) {
	t.Helper()
	opened := func() *Store {
		t.Helper()
		s, err := open()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := opened()
	w := workspaceOf(t, s)
	body := `{"workspaceId":"` + w + `","agent":{"id":"` + crashAgent + `","name":"N"},"asks":[{"id":"a","type":"sign-off","title":"T","ts":"2026-11-20T10:00:00Z"},
		{"id":"b","type":"question","title":"T","ts":"2026-11-20T10:00:00Z"}],"messages":[{"id":"m","kind":"verdict","ask":"a","by":" Ana K","ts":"2026-11-20T11:00:00Z","verdict":"approved"}]}`
	read, err := figs.ReadPush([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Push(ctx, store.Push{Workspace: w, Act: store.Act{At: noonOfTests}, Body: read}); err != nil {
		t.Fatal(err)
	}
	inbox := func(s *Store) *store.Inbox {
		t.Helper()
		in, err := s.Inbox(ctx, store.InboxQuery{Workspace: w, Tab: store.Reported})
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	want := inbox(s).Items
	if len(want) != 1 || want[0].Named != "Ana K" {
		t.Fatalf("before: %+v", want)
	}
	hash, err := s.StateHash(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{ // what steps 4 to 6 did, undone
		`DROP INDEX decisions_list`, `DROP INDEX decisions_ask`, `DROP INDEX inbox_reported`, `DROP INDEX records_reported`, `DROP INDEX inbox_waiting`,
		`CREATE INDEX inbox_waiting ON records (workspace, at, no, agent, asked, type, since) WHERE lane = 1`,
		`ALTER TABLE records DROP COLUMN named`, `ALTER TABLE records DROP COLUMN named_key`, `ALTER TABLE workspaces DROP COLUMN tick_all`,
		`DROP TABLE opened`, `DROP TABLE drafts`, `DROP TABLE claims`, `DROP TABLE snoozes`, `DROP TABLE keys`, `DROP TABLE chores`, `DROP TABLE feedback`, `ALTER TABLE users DROP COLUMN named_at`, `DELETE FROM migrations WHERE no >= 4`,
	} {
		if _, err := s.write.Exec(query); err != nil {
			t.Fatal(query, err)
		}
	}
	s.Close()
	s = opened()
	in := inbox(s)
	if len(in.Items) != 1 || in.Items[0].Named != "Ana K" || in.Reported != 1 || in.Total != 1 {
		t.Errorf("after: %+v", in)
	}
	if again, err := s.StateHash(ctx); err != nil || again != hash {
		t.Errorf("the state's hash is %s, was %s, %v", again, hash, err)
	}
	agent, err := s.Agent(ctx, crashAgent)
	if err != nil || agent.Counts.Waiting != 1 || agent.Counts.NeedsYou != 1 || agent.Counts.Messages != 1 {
		t.Errorf("counts: %+v, %v", agent.Counts, err)
	}
	s.Close()
	s = opened() // a third time there is nothing to do
	defer s.Close()
	if later, err := s.Agent(ctx, crashAgent); err != nil || later.Seq != agent.Seq {
		t.Errorf("opened once more it is at %d, was at %d, %v", later.Seq, agent.Seq, err)
	}
}
