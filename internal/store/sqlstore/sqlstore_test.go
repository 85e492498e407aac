//go:build unix

package sqlstore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

var ctx = context.Background()

func TestMain(m *testing.M) {
	code := m.Run()
	storetest.EndShared()
	os.Exit(code)
}

// emptySQLite is the file of an empty store. Copying it takes a fraction of the time of all migrations.
var emptySQLite = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "figs-empty-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "figs.db")
	s, err := OpenSQLite(ctx, file)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})

// openSQLite opens an empty store.
func openSQLite(t testing.TB) *Store {
	t.Helper()
	empty, err := emptySQLite()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "a file?with=odd#name.db")
	if err := os.WriteFile(file, empty, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := OpenSQLite(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// openPostgres opens an empty store.
func openPostgres(t testing.TB, p *storetest.Postgres) *Store {
	return openPostgresAs(t, p, sqldb.PostgresOptions{})
}

func openPostgresAs(t testing.TB, p *storetest.Postgres, o sqldb.PostgresOptions) *Store {
	t.Helper()
	open := func(connection string) *Store {
		if o.TablesOnly {
			connection += " default_transaction_isolation=serializable"
		}
		s, err := OpenPostgres(ctx, connection, o)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open(p.Clone(t, fmt.Sprint("empty_", o.TablesOnly), func(connection string) { open(connection).Close() }))
	t.Cleanup(func() { s.Close() })
	return s
}

func TestSQLite(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return openSQLite(t) })
}

// pushing are the cases of the suite that depend on how a push is stored.
var pushing = []string{"push", "push nothing new", "push in pieces", "push of a moved agent", "push of a renamed agent", "findings", "push concurrently",
	"ids of two agents", "odd texts", "many records", "trail", "events", "never backwards", "refused alone", "messages", "replies", "asks", "attachments",
	"claimed verified", "many at once", "reported", "changed while pending", "erase", "state hash"}

// TestSQLiteParts tests that pushes that are stored in parts leave the same data as others.
func TestSQLiteParts(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return storeInParts(openSQLite(t)) }, pushing...)
}

func storeInParts(s *Store) *Store {
	s.largePush, s.partSize = 1, 2
	return s
}

func TestPostgres(t *testing.T) {
	p := storetest.SharedPostgres(t)
	storetest.Run(t, func(t *testing.T) store.Store { return openPostgres(t, p) })
}

func TestPostgresParts(t *testing.T) {
	if os.Getenv("FIGS_LONG") == "" {
		t.Skip("set FIGS_LONG=1: TestSQLiteParts stores the same in parts")
	}
	p := storetest.SharedPostgres(t)
	storetest.Run(t, func(t *testing.T) store.Store { return storeInParts(openPostgres(t, p)) }, pushing...)
}

// TestPostgresTablesOnly tests the store without features that only PostgreSQL has, with the only isolation level of some
// databases, and with the minimum of connections, so that no transaction may wait for one that it holds.
func TestPostgresTablesOnly(t *testing.T) {
	p := storetest.SharedPostgres(t)
	storetest.Run(t, func(t *testing.T) store.Store {
		return openPostgresAs(t, p, sqldb.PostgresOptions{TablesOnly: true, Connections: 2})
	})
}
