//go:build unix

package sqlstore

import (
	"errors"
	"fmt"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// TestConnectionCutAtCommit tests that a change is made once and reported as made, whatever happens to the connection at
// the commit.
func TestConnectionCutAtCommit(t *testing.T) {
	p := storetest.SharedPostgres(t)
	want := makeChanges(t, openSQLite(t), func(string) {})
	for what, name := range map[cutMode]string{cutBefore: "before", cutAnswer: "answer", cutLate: "late", cutAllLate: "all late", cutDropsAll: "drops all"} {
		for _, tables := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/tables=%v", name, tables), func(t *testing.T) {
				t.Parallel()
				c := startCuttingProxy(t, p)
				s, err := OpenPostgres(ctx, c.connString(p.Database(t)), sqldb.PostgresOptions{TablesOnly: tables})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				n := 0
				got := makeChanges(t, s, func(string) { n++; c.arm(what) })
				if c.made != n {
					t.Errorf("%d of %d changes were cut", c.made, n)
				}
				if got != want {
					t.Errorf("after cuts the store has\n%s\nwant\n%s", got, want)
				}
			})
		}
	}
}

// makeChanges makes one change of each kind, after announcing it, and describes the result.
func makeChanges(t *testing.T, s *Store, next func(what string)) string {
	t.Helper()
	tick := int64(0)
	act := func() store.Act { tick++; return store.Act{By: "ana", At: noonOfTests + tick*1_000_000} }
	const workspace, agent = "33333333-3333-4333-8333-333333333333", "0d4f2a3c-1111-4222-8333-000000000001"
	do := func(what string, f func() error) {
		t.Helper()
		next(what)
		if err := f(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	push := func(body string) func() error {
		return func() error {
			text := `{"workspaceId":"` + workspace + `","agent":{"id":"` + agent + `","name":"A"},` + body + `}`
			read, err := figs.ReadPush([]byte(text))
			if err != nil {
				return err
			}
			done, err := s.Push(ctx, store.Push{Workspace: workspace, Act: act(), Digest: store.Hash(text), Body: read})
			if err == nil && !done.Changed {
				err = errors.New("nothing changed")
			}
			return err
		}
	}
	const ask = `"asks":[{"id":"a","type":"sign-off","title":"Send it","ts":"2026-11-20T10:00:00Z","onApprove":["send"]}]`
	do("user", func() error {
		return s.AddUser(ctx, act(), store.User{ID: "ana", Email: "ana@acme.example", Name: "Ana"})
	})
	do("workspace", func() error {
		return s.AddWorkspace(ctx, act(), store.Workspace{ID: workspace, Slug: "acme", Name: "Acme"}, "ana")
	})
	do("first push", push(ask))
	do("second push", push(`"runs":[{"id":"r","ts":"2026-11-20T10:00:00Z","title":"October","status":"ok"}],`+ask))
	do("token", func() error { return s.AddToken(ctx, act(), store.Token{ID: "t", User: "ana", Name: "ci", Hash: "h"}) })
	do("draft", func() error {
		return s.CreateDraft(ctx, store.Draft{Person: "ana", Agent: agent, Ask: "a", Workspace: workspace, Text: "Not yet", At: act().At})
	})
	do("draft again", func() error {
		return s.SaveDraft(ctx, store.Draft{Person: "ana", Agent: agent, Ask: "a", Workspace: workspace, Text: "Yes", At: act().At})
	})
	record, err := s.Record(ctx, agent, figs.Asks, "a")
	if err != nil {
		t.Fatal(err)
	}
	line := `{"id":"m","kind":"verdict","ask":"a","verdict":"approved","by":"Ana","ts":"2026-11-20T12:30:00Z","source":"app"}`
	do("decision", func() error {
		made, err := s.Decide(ctx, act(), store.DecisionInput{Workspace: workspace, Agent: agent, Ask: "a", Key: "form", Line: []byte(line), Saw: store.View{Revision: store.RevisionOf(record)}})
		if err == nil && made.Repeated {
			err = errors.New("it says that it was sent before")
		}
		return err
	})
	do("settling", func() error {
		done, err := s.Settle(ctx, noonOfTests+3600_000000)
		if err == nil && done.N != 1 {
			err = fmt.Errorf("%d settled", done.N)
		}
		return err
	})
	do("ticket", func() error { return s.AddTicket(ctx, store.Ticket{Hash: "x", Kind: "k", Expires: noonOfTests * 2}) })
	do("using the ticket", func() error { return second(s.UseTicket(ctx, "x", "k", noonOfTests)) })
	do("attempt", func() error { return second(s.Attempt(ctx, "somebody", noonOfTests, hour, 5)) })
	do("attachment", func() error {
		unchanged, err := s.Attach(ctx, act(), store.Attachment{Agent: agent, Name: "f.txt", SHA256: store.Hash("x"), Size: 1}, "words")
		if err == nil && unchanged {
			err = errors.New("it says that it was there")
		}
		return err
	})
	hash, err := s.StateHash(ctx)
	if err != nil {
		t.Fatal(err)
	}
	seq, err := s.Seq(ctx, workspace)
	if err != nil {
		t.Fatal(err)
	}
	said := fmt.Sprintln("state", hash, "seq", seq)
	for _, w := range []string{"", workspace} {
		chain, err := s.VerifyAudit(ctx, w)
		if err != nil || chain.Broken != 0 {
			t.Errorf("audit of %q: %+v, %v", w, chain, err)
		}
		said += fmt.Sprintln("audit", chain.Rows, chain.Head)
	}
	for _, count := range []string{"records", "trail", "messages", "mentions", "search", "drafts", "tokens", "tickets", "attachments", "charters"} {
		var n int
		if err := s.Row(ctx, `SELECT count(*) FROM `+count).Scan(&n); err != nil {
			t.Fatal(err)
		}
		said += fmt.Sprintln(count, n)
	}
	var times string
	if err := s.Row(ctx, `SELECT times FROM attempts`).Scan(&times); err != nil {
		t.Fatal(err)
	}
	return said + times
}

// TestSmallPushRoundTrips tests that a small push waits for the server three times: for the stored data, for its Seq, and
// for the commit.
func TestSmallPushRoundTrips(t *testing.T) {
	p := storetest.SharedPostgres(t)
	c := startCuttingProxy(t, p)
	s, err := OpenPostgres(ctx, c.connString(p.Database(t)), sqldb.PostgresOptions{Connections: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := workspaceOf(t, s)
	for round := range 6 {
		before := c.trips.Load()
		if err := pushRun(s, w, 1, round); err != nil {
			t.Fatal(err)
		}
		if n := c.trips.Load() - before; round == 5 && n != 3 { // by then every statement is prepared
			t.Errorf("a push waited %d times", n)
		}
	}
}
