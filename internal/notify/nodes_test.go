//go:build unix

package notify

import (
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// TestOnceOnPostgres is TestOnce where two nodes share a database.
func TestOnceOnPostgres(t *testing.T) {
	url := storetest.StartPostgres(t).Database(t)
	once(t, newDeskOn(t, func() (*sqlstore.Store, error) {
		return sqlstore.OpenPostgres(ctx, url, sqlstore.PostgresOptions{})
	}))
}

// TestLease holds that a node which sends slowly, or was stopped for a while, leaves what another may have
// claimed meanwhile, and that what a node claimed that died is sent by another.
func TestLease(t *testing.T) {
	d := newDesk(t)
	var passed atomic.Int64 // seconds
	clock := func() time.Time { return d.clock.Add(time.Duration(passed.Load()) * time.Second) }
	second, err := openAgain(d)
	d.ok(err)
	d.w.Now, second.Now = clock, clock
	var slow, stopped atomic.Int64
	hook := receive(t, func(http.ResponseWriter, *http.Request) { passed.Add(slow.Load() + stopped.Swap(0)) })
	d.at(store.DestinationWebhook, hook.URL, "s")
	arrived := func(want int) {
		t.Helper()
		seen := map[string]bool{}
		for _, r := range hook.requests() {
			seen[r.head.Get("Figs-Delivery")] = true
		}
		if n := len(hook.requests()); n != want || len(seen) != want {
			t.Fatalf("%d arrived, %d of them different; want %d", n, len(seen), want)
		}
	}
	step := func(w *Worker) {
		t.Helper()
		d.ok(w.Step(ctx, true))
	}
	for i := range 6 {
		d.ask(fmt.Sprint("slow", i), "")
	}
	slow.Store(30)
	step(d.w) // the fourth could end after the lease does
	arrived(3)
	slow.Store(0)
	step(second) // which are the first one's still
	arrived(3)
	passed.Add(60)
	step(second)
	step(d.w)
	arrived(6)

	for i := range 4 {
		d.ask(fmt.Sprint("stopped", i), "")
	}
	stopped.Store(300) // in the middle of the first
	step(d.w)
	arrived(10)

	d.ask("died", "")
	d.ok(d.w.plan(ctx, true))
	now := d.w.now()
	due, err := d.s.ClaimNotifications(ctx, "dead", now, now+leased, batch)
	d.ok(err)
	step(d.w)
	arrived(10)
	passed.Add(leased / 1e6)
	step(d.w)
	arrived(11)
	if err := d.s.FinishNotification(ctx, "dead", due[0].QueuedNotification); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a node that lost its claim notes what became of it: %v", err)
	}
}

// TestGroupOnceOnPostgres is TestGroupOnce where two nodes share a database.
func TestGroupOnceOnPostgres(t *testing.T) {
	url := storetest.StartPostgres(t).Database(t)
	groupOnce(t, newDeskOn(t, func() (*sqlstore.Store, error) {
		return sqlstore.OpenPostgres(ctx, url, sqlstore.PostgresOptions{})
	}))
}
