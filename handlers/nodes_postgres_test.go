//go:build unix

package handlers

import (
	"context"
	"database/sql"
	"testing"

	"github.com/figs-web/figs-web/internal/store/sqlstore"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// databaseTests are those of nodeTests in which two servers write at once or count on what the other wrote.
var databaseTests = []string{"sign in", "guessing", "passkeys", "forged callbacks", "device", "approval takes a proof", "set-up raced", "two at once", "many at once", "sent again", "undo", "delivery"}

// TestNodesOnPostgres has two servers on one database do it.
func TestNodesOnPostgres(t *testing.T) {
	p := storetest.StartPostgres(t)
	onNodes = func(t *testing.T, _ func() (*sqlstore.Store, error)) func() (*sqlstore.Store, error) {
		url := p.Database(t)
		return func() (*sqlstore.Store, error) {
			return sqlstore.OpenPostgres(context.Background(), url, sqlstore.PostgresOptions{Connections: 4})
		}
	}
	defer func() { onNodes = nil }()
	for _, name := range databaseTests {
		t.Run(name, nodeTests[name])
	}
}

// TestNewsOnPostgres has two servers listen to one database, whose connections are cut, and ask one that tells nobody.
func TestNewsOnPostgres(t *testing.T) {
	p := storetest.StartPostgres(t)
	url, tablesOnly := p.Database(t), false
	open := func() (*sqlstore.Store, error) {
		return sqlstore.OpenPostgres(context.Background(), url, sqlstore.PostgresOptions{Connections: 4, TablesOnly: tablesOnly})
	}
	cut := func() {
		t.Helper()
		db, err := sql.Open("pgx", url)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var n int
		if err := db.QueryRow(`SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`).Scan(&n); err != nil || n != 2 {
			t.Fatalf("%d connections listened, want 2: %v", n, err)
		}
	}
	newsBetween(t, newPair(t, open, true), cut)
	url, tablesOnly = p.Database(t), true
	newsBetween(t, newPair(t, open, false), nil)
	url = p.Database(t)
	settledOnce(t, newPair(t, open, false))
}
