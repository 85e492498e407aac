//go:build unix

package sqlstore

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

var ctx = context.Background()

// openSQLite opens an empty store.
func openSQLite(t testing.TB) *Store {
	t.Helper()
	s, err := OpenSQLite(ctx, filepath.Join(t.TempDir(), "a file?with=odd#name.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func openPostgres(t testing.TB, p *storetest.Postgres) *Store {
	t.Helper()
	s, err := OpenPostgres(ctx, p.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestSQLite(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return openSQLite(t) })
}

func TestPostgres(t *testing.T) {
	p := storetest.StartPostgres(t)
	storetest.Run(t, func(t *testing.T) store.Store { return openPostgres(t, p) })
}
