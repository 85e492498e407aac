//go:build unix

package sqlstore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// TestCrashDeciding repeatedly kills a program that decides, undoes and settles. Every acknowledged decision must exist
// afterwards, and become one reply when it is effective, or none if it was undone. Nothing may exist twice.
func TestCrashDeciding(t *testing.T) {
	if dir := os.Getenv(crashDir); dir != "" {
		decideUntilKilled(dir)
	}
	dir := t.TempDir()
	acknowledged, began := -1, 0
	times := crashTimes()
	for life := range times {
		if last := runAndKill(t, dir, life); last >= 0 {
			acknowledged = max(acknowledged, last)
			began++
		}
		inspectDecisions(t, dir, acknowledged)
	}
	t.Logf("killed %d times, %d of them after something was acknowledged; %d decisions", times, began, acknowledged/2+1)
	if acknowledged < 0 {
		t.Error("nothing was ever acknowledged")
	}
}

// isUndone reports whether the program undoes its n-th decision. It acknowledges numbers: 2n for the n-th decision, 2n+1
// for undoing it.
func isUndone(n int) bool { return n%3 == 1 }

// crashClock returns when the n-th decision is made: six are pending at a time.
func crashClock(n int) int64 { return 1795176000_000000 + int64(n)*store.UndoWindow/6 }

// decideUntilKilled is the program that is killed. It first sends its last form again, as a person does who saw no answer.
func decideUntilKilled(dir string) {
	fail := func(err error) {
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	s, err := OpenSQLite(ctx, filepath.Join(dir, "figs.db"))
	fail(err)
	owner := store.User{ID: "0d4f2a3c-1111-4222-8333-00000000000a", Email: "ana@acme.example", Name: "Ana"}
	w, err := s.Workspace(ctx, "w")
	if errors.Is(err, store.ErrNotFound) {
		w = store.Workspace{ID: store.NewID(), Slug: "w", Name: "W"}
		fail(s.SetSetup(ctx, "h", 1<<60))
		err = s.UseSetup(ctx, store.Act{At: 1}, "h", owner, w)
	}
	fail(err)
	n := 0
	for {
		if _, err := s.Decision(ctx, crashAgent, fmt.Sprint("d", n)); err != nil {
			break
		}
		n++
	}
	fmt.Println("ready")
	for n = max(0, n-1); ; n++ {
		at, ask := crashClock(n), fmt.Sprint("a", n)
		body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"N"},"asks":[{"id":%q,"type":"question","title":"T","ts":"2026-11-20T10:00:00Z"}]}`,
			w.ID, crashAgent, ask))
		fail(err)
		_, err = s.Push(ctx, store.Push{Workspace: w.ID, Act: store.Act{By: owner.ID, At: at}, Body: body})
		fail(err)
		r, err := s.Record(ctx, crashAgent, figs.Asks, ask)
		fail(err)
		d := store.DecisionInput{Workspace: w.ID, Agent: crashAgent, Ask: ask, Key: ask, Saw: store.View{Revision: store.RevisionOf(r)},
			Line: fmt.Appendf(nil, `{"id":"d%d","kind":"answer","ask":%q,"by":"Ana","ts":"2026-11-20T12:00:00Z","source":"app","text":"t"}`, n, ask)}
		if _, err := s.Decision(ctx, crashAgent, fmt.Sprint("d", n)); errors.Is(err, store.ErrNotFound) {
			fail(s.SaveDraft(ctx, store.Draft{Person: owner.ID, Workspace: w.ID, Agent: crashAgent, Ask: ask, Text: "t", At: at}))
		}
		_, err = s.Decide(ctx, store.Act{By: owner.ID, At: at}, d)
		fail(err)
		fmt.Println("acknowledged", 2*n)
		if isUndone(n) {
			_, err = s.Undo(ctx, store.Act{By: owner.ID, At: at + 1}, crashAgent, fmt.Sprint("d", n))
			fail(err)
			fmt.Println("acknowledged", 2*n+1)
		}
		_, err = s.Settle(ctx, at)
		fail(err)
	}
}

// inspectDecisions checks what the program left, and settles it.
func inspectDecisions(t *testing.T, dir string, acknowledged int) {
	t.Helper()
	s, err := OpenSQLite(ctx, filepath.Join(dir, "figs.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	agent, err := s.Agent(ctx, crashAgent)
	if errors.Is(err, store.ErrNotFound) && acknowledged < 0 {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	for ; ; made++ {
		if _, err := s.Decision(ctx, crashAgent, fmt.Sprint("d", made)); err != nil {
			break
		}
	}
	if acknowledged >= 0 && made <= acknowledged/2 {
		t.Fatalf("decision %d was acknowledged and %d are there", acknowledged/2, made)
	}
	if made == 0 {
		return
	}
	now := crashClock(made - 1)
	if _, err := s.Settle(ctx, now); err != nil {
		t.Fatal(err)
	}
	list, err := s.Messages(ctx, crashAgent)
	if err != nil {
		t.Fatal(err)
	}
	replies := map[string]int{}
	for _, m := range list {
		replies[m.ID]++
	}
	due, undone := 0, 0
	for n := range made {
		m, err := s.Decision(ctx, crashAgent, fmt.Sprint("d", n))
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		switch {
		case m.State == store.DecisionUndone && isUndone(n):
			undone++
		case isUndone(n) && 2*n+1 <= acknowledged:
			t.Fatalf("decision %d was taken back, which was acknowledged, and it is %+v", n, m)
		case m.Effective <= now:
			want = 1
			due++
		}
		if replies[m.ID] != want || (m.State == store.DecisionEffective) != (want == 1) {
			t.Fatalf("decision %d, which counts from %d, is %d replies at %d (%+v)", n, m.Effective, replies[m.ID], now, m)
		}
		if _, err := s.Draft(ctx, m.By, crashAgent, m.Ask); !errors.Is(err, store.ErrNotFound) {
			t.Fatalf("decision %d is there, and its draft, too (%v)", n, err)
		}
	}
	if agent, err = s.Agent(ctx, crashAgent); err != nil || len(list) != due || agent.Counts.Messages != due || agent.Counts.Waiting != due {
		t.Fatalf("%d replies of %d decisions that count, counted %+v (%v)", len(list), due, agent.Counts, err)
	}
	inspectChain(t, s, agent.Workspace, made, due, undone)
}

// inspectChain compares the audit log with the decisions.
func inspectChain(t *testing.T, s *Store, workspace string, made, due, undone int) {
	t.Helper()
	done := map[string]int{}
	err := s.EachAudit(ctx, workspace, func(row store.AuditEntry) error {
		done[row.Action]++
		return nil
	})
	if err != nil || done["decision.make"] != made || done["ask.reply"] != due || done["decision.undo"] != undone {
		t.Fatalf("the audit has %v, want %d decisions, %d replies and %d taken back (%v)", done, made, due, undone, err)
	}
	if chain, err := s.VerifyAudit(ctx, workspace); err != nil || chain.Broken != 0 {
		t.Fatalf("the chain %+v, %v", chain, err)
	}
}
