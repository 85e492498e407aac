//go:build unix

package sqlstore

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

func stepsOf(t *testing.T, d sqldb.Dialect, files map[string]string) ([]sqldb.Migration, error) {
	t.Helper()
	all := fstest.MapFS{}
	for name, text := range files {
		all["migrations/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return sqldb.MigrationSteps(all, d)
}

func TestMigrationSteps(t *testing.T) {
	files := map[string]string{"0001_a.sql": "CREATE TABLE a (x {{text}})", "0002_b.sqlite.sql": "SELECT 1", "0002_b.postgres.sql": "SELECT 2"}
	for d, want := range map[sqldb.Dialect][2]string{sqldb.SQLite{}: {"CREATE TABLE a (x TEXT)", "SELECT 1"}, sqldb.PostgreSQL{}: {`CREATE TABLE a (x TEXT COLLATE "C")`, "SELECT 2"}} {
		all, err := stepsOf(t, d, files)
		if err != nil || len(all) != 2 || all[0].SQL != want[0] || all[1].SQL != want[1] || all[0].Checksum == all[1].Checksum {
			t.Errorf("steps of %s = %+v, %v, want %q", d.Name(), all, err, want)
		}
	}
	for name, files := range map[string]map[string]string{
		"a gap":                               {"0001_a.sql": "", "0003_c.sql": ""},
		"two of a number":                     {"0001_a.sql": "", "0001_b.sql": ""},
		"no number":                           {"first.sql": ""},
		"a step that needs one of the future": {"0001_a.sql": "-- needs 12"},
	} {
		if _, err := stepsOf(t, sqldb.SQLite{}, files); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, d := range []sqldb.Dialect{sqldb.SQLite{}, sqldb.PostgreSQL{}} {
		all, err := sqldb.MigrationSteps(sqldb.Migrations, d)
		if err != nil || len(all) < 3 {
			t.Errorf("our own steps for %s: %d, %v", d.Name(), len(all), err)
		}
		for _, m := range all {
			if strings.Contains(m.SQL, "{{") {
				t.Errorf("step %d for %s holds a word in braces that nobody replaces", m.No, d.Name())
			}
		}
	}
}

// TestMigrateForwardOnly tests that a database of another or a newer program is left alone.
func TestMigrateForwardOnly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figs.db")
	s, err := OpenSQLite(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	all, err := sqldb.MigrationSteps(sqldb.Migrations, s.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	next := sqldb.Migration{No: len(all) + 1, Name: "next", SQL: `CREATE TABLE next (x BIGINT); INSERT INTO next VALUES (7)`, Checksum: "c"}
	broken := sqldb.Migration{No: len(all) + 2, Name: "broken", SQL: `CREATE TABLE half (x BIGINT); SELECT nothing FROM nowhere`, Checksum: "d"}
	if err := s.ApplySteps(ctx, append(all[:len(all):len(all)], next, broken)); err == nil || !strings.Contains(err.Error(), "(broken)") {
		t.Errorf("a step that fails: %v", err)
	}
	var n int
	if err := s.Write.QueryRow(`SELECT x FROM next`).Scan(&n); n != 7 || err != nil {
		t.Errorf("the step before the one that fails: %d, %v", n, err)
	}
	if err := s.Write.QueryRow(`SELECT count(*) FROM half`).Scan(&n); err == nil {
		t.Error("half of a step is there")
	}
	s.Close()
	if _, err := OpenSQLite(ctx, file); err == nil || !strings.Contains(err.Error(), "newer than this program") {
		t.Errorf("opened by the older program: %v", err)
	}
	other := openSQLite(t)
	if _, err := other.Write.Exec(`UPDATE migrations SET checksum = 'x' WHERE no = 2`); err != nil {
		t.Fatal(err)
	}
	if err := other.Migrate(ctx); err == nil || !strings.Contains(err.Error(), "step 2") {
		t.Errorf("opened with another step 2: %v", err)
	}
}

// TestMigrateAtOnce tests that several programs can open an empty database at once.
func TestMigrateAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figs.db")
	openConcurrently(t, func() (*Store, error) { return OpenSQLite(ctx, file) })
}

func TestMigrateAtOncePostgres(t *testing.T) {
	p := storetest.SharedPostgres(t)
	for _, o := range []sqldb.PostgresOptions{{}, {TablesOnly: true}} {
		connection := p.Database(t)
		openConcurrently(t, func() (*Store, error) { return OpenPostgres(ctx, connection, o) })
	}
}

func openConcurrently(t *testing.T, open func() (*Store, error)) {
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

// TestTwoProgramsOneFile tests that two programs see what the other writes to the same file.
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
