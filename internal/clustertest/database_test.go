//go:build unix

package clustertest

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/client"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/testenv"
)

// databaseStopped stops the database under work, as for an update, and starts it again.
func databaseStopped(t *testing.T, w *world) {
	k := w.begin(t, 3)
	for range often(1, 5) {
		k.progress(3, 1)
		w.c.Postgres.Stop()
		time.Sleep(500 * time.Millisecond) // for so long it is away
		if err := w.c.Postgres.Start(); err != nil {
			t.Fatal(err)
		}
		k.progress(3, 1)
	}
	k.whole()
}

// databaseKilled kills the database under work, and starts it again: it recovers from its log.
func databaseKilled(t *testing.T, w *world) {
	k := w.begin(t, 3)
	for range often(2, 10) {
		k.progress(3, 1)
		within(20 * time.Millisecond)
		w.c.Postgres.Kill()
		if err := w.c.Postgres.Start(); err != nil {
			t.Fatal(err)
		}
	}
	k.progress(3, 1)
	k.whole()
}

// connectionsCut cuts every connection to the database, now at the server, now on the way.
func connectionsCut(t *testing.T, w *world) {
	k := w.begin(t, 3)
	k.progress(2, 0)
	pushes, decisions := k.pushed.Load(), k.decided.Load()
	cuts := 0
	for min := often(10, 200); cuts < min || k.pushed.Load() < pushes+3 || k.decided.Load() < decisions+1; cuts++ {
		if k.Failed() || cuts > 100*min {
			break
		}
		within(200 * time.Millisecond)
		if cuts%2 == 0 {
			w.c.Relay.Cut()
		} else if err := w.c.Postgres.CutAll(w.c.Database); err != nil {
			t.Fatal(err)
		}
	}
	k.progress(3, 1)
	k.whole()
	t.Logf("all connections were cut %d times", cuts)
}

// answersLost loses some answers of the database together with their connection: a change was made, and whoever asked
// for it does not know.
func answersLost(t *testing.T, w *world) {
	k := w.begin(t, 3)
	k.progress(2, 0)
	before := w.c.Relay.LoseAnswers(20_000)
	want := before + often(30, 600)
	testenv.Eventually(t, 2*Patience, "answers to be lost", func() bool { return k.Failed() || w.c.Relay.LoseAnswers(20_000) >= want })
	lost := w.c.Relay.LoseAnswers(0) - before
	k.progress(3, 1)
	k.whole()
	t.Logf("%d answers were lost", lost)
}

// outOfConnections takes all connections that the database gives, and the nodes' own too, for a while.
func outOfConnections(t *testing.T, w *world) {
	k := w.begin(t, 3)
	k.progress(3, 1)
	var taken []*pgx.Conn
	defer func() {
		for _, c := range taken {
			c.Close(ctx)
		}
	}()
	take := func() (full bool) {
		c, err := pgx.Connect(ctx, fmt.Sprintf("host=%s user=reader dbname=postgres", w.c.Postgres.dir))
		if err == nil {
			taken = append(taken, c)
			return false
		}
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != "53300" {
			t.Fatalf("a connection too many: %v, want 53300", err)
		}
		return true
	}
	// What a node's connection leaves the test takes, until no node has one.
	testenv.Eventually(t, 2*Patience, "the nodes to lose all their connections", func() bool {
		w.c.Relay.Cut()
		for !take() {
		}
		n, err := w.c.Postgres.Number("postgres", "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'figs-web'", w.c.Database)
		if err != nil {
			t.Fatal(err)
		}
		return n == 0
	})
	a := NewAgent("0d4f2a3c-2222-4222-8333-ffffffffff01", w.workspace, client.G12)
	patience := 2 * time.Second // as a client that gives up
	if long() {
		patience = 2 * Patience
	}
	_, err := a.At(w.c.Balancer.Address, token, &http.Client{Timeout: patience}).Push(ctx, a.folder(1), "")
	// A process of the server that was just ending may leave its place to a node: then the push is acknowledged, and counts as any other.
	var f *client.Failure
	if err != nil && (!errors.As(err, &f) || f.Exit != client.Retry) {
		t.Errorf("a push while there are no connections: %v, want one that says to try again", err)
	}
	for _, c := range taken {
		c.Close(ctx)
	}
	taken = nil
	k.progress(3, 1)
	k.agents = append(k.agents, a)
	if err := a.Push(ctx, a.At(w.c.Balancer.Address, token, nil)); err != nil {
		t.Error(err)
	}
	k.whole()
}

// diskFull lets no file of the database grow beyond a few megabytes: a push that needs more is refused, and nothing of it
// is there. When there is room, the same push is taken.
func diskFull(t *testing.T, w *world) {
	const size = 2<<20 + 4096 // in the middle of a page
	k := w.begin(t, 2)
	k.progress(2, 1)
	w.c.Postgres.Stop()
	if err := w.c.Postgres.StartFull(size); err != nil {
		t.Fatal(err)
	}
	fat := k.agent(client.G12)
	fat.Fat = 900 << 10
	c := fat.At(w.c.Balancer.Address, token, &http.Client{Timeout: 2 * Patience})
	testenv.Eventually(t, 2*Patience, "the database to be back", func() bool { return w.store.Ready(ctx) == nil })
	_, err := c.Push(ctx, fat.folder(1), "")
	var f *client.Failure
	if !errors.As(err, &f) || f.Exit != client.Retry {
		t.Errorf("a push for which there is no room: %v, want one that says to try again", err)
	}
	t.Logf("a push for which there is no room: %v", err)
	if _, err := w.store.Record(ctx, fat.ID, figs.Runs, "r0"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("after a full disk there is a part of a push: %v", err)
	}
	if log := w.c.Postgres.Log(); !strings.Contains(log, "53100") && !strings.Contains(log, "File too large") {
		t.Errorf("the database reported no full disk:\n%s", log)
	}
	w.c.Postgres.Stop()
	if err := w.c.Postgres.Start(); err != nil {
		t.Fatal(err)
	}
	if err := fat.Push(ctx, c); err != nil {
		t.Fatalf("when there is room again: %v", err)
	}
	k.pushed.Add(1)
	k.progress(3, 1)
	k.whole()
}
