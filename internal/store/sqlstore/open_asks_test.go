//go:build unix

package sqlstore

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// TestCachedInbox tests that the cache gives the same answers as the database, also after changes.
func TestCachedInbox(t *testing.T) {
	s := openSQLite(t)
	u := store.User{ID: "ana", Email: "ana@example.org", Name: "Ana", Created: 1}
	for _, u := range []store.User{u, {ID: "bo", Email: "bo@example.org", Name: "BO b, C", Created: 1}} {
		if err := s.AddUser(ctx, store.Act{At: 1}, u); err != nil {
			t.Fatal(err)
		}
	}
	w := store.Workspace{ID: "w", Slug: "w", Name: "W"}
	if err := s.AddWorkspace(ctx, store.Act{At: 1}, w, u.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.SetMember(ctx, store.Act{At: 1}, "w", "bo", store.Member); err != nil {
		t.Fatal(err)
	}
	push := func(agent, department string, asks int) {
		body := fmt.Appendf(nil, `{"workspaceId":"w","agent":{"id":"0d4f2a3c-1111-4222-8333-%012s","name":"A","org":{"department":%q}},"asks":[`, agent, department)
		for i := range asks {
			body = fmt.Appendf(body, `{"id":"ask-%d","ts":"2026-11-20T10:00:%02dZ","type":%q,"to":%q,"title":"T","status":"open"},`, i, i, []string{"question", "sign-off", "fyi, old"}[i%3], []string{"manager", "builder"}[i%2])
		}
		body = append(body[:len(body)-1], `],"messages":[`...)
		for i := range asks / 2 { // half of them are only reported, in two people's names
			body = fmt.Appendf(body, `{"id":"m-%d","ask":"ask-%d","kind":"answer","by":%q,"text":"t","ts":"2026-11-20T11:00:00Z"},`, i, 2*i, []string{" ANA@example.org", "Bo B, c"}[i%2])
		}
		read, err := figs.ReadPush(append(body[:len(body)-1], "]}"...))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Push(ctx, store.Push{Workspace: "w", Act: store.Act{By: "ana", At: 2}, Body: read}); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(q store.InboxQuery, most int) *store.Inbox {
		q.Workspace, s.maxOpen = "w", most
		in, err := s.Inbox(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	for round, agent := range []string{"1", "2", "3"} {
		push(agent, []string{"Finance", "People"}[round%2], 7+round)
		for _, ask := range []string{"ask-2", "ask-3"} {
			if _, err := s.Snooze(ctx, store.Act{By: "ana", At: 3}, "w", "0d4f2a3c-1111-4222-8333-"+fmt.Sprintf("%012s", agent), ask, 100); err != nil {
				t.Fatal(err)
			}
		}
		if round == 0 {
			if err := s.Assign(ctx, store.Act{At: 3}, "0d4f2a3c-1111-4222-8333-000000000001", "bo", ""); err != nil {
				t.Fatal(err)
			}
		}
		n := func(n int) store.Slice { return store.Slice{N: n} }
		second := ask(store.InboxQuery{Slice: n(2)}, 0).Next
		for _, q := range []store.InboxQuery{
			{}, {Slice: n(3)}, {Slice: store.Slice{N: 3, After: second}}, {Slice: store.Slice{N: 3, Before: second}}, {Slice: n(-1)}, {Mine: "ana"}, {Mine: "ana", Slice: n(-1)}, {Mine: "bo"}, {Type: "question"}, {Type: "fyi, old"}, {Type: "none"}, {To: "builder"},
			{Department: "People"}, {Agent: "0d4f2a3c-1111-4222-8333-000000000001", Slice: n(2)}, {SinceBefore: 1795168805_000000}, {Tab: store.TabWaiting}, {Tab: store.TabClosed, Type: "sign-off"},
			{Tab: store.TabReported}, {Tab: store.TabReported, Mine: "ana"}, {Tab: store.TabReported, Mine: "bo"}, {Tab: store.TabReported, Mine: "bo", Department: "People", Slice: n(2)}, {Tab: store.TabReported, Type: "question", To: "manager"},
			{Tab: store.TabReported, Type: "fyi, old"}, {Tab: store.TabReported, SinceBefore: 1795168803_000000}, {Tab: store.TabReported, Agent: "0d4f2a3c-1111-4222-8333-000000000001"}, {Tab: store.TabSnoozed, Mine: "ana"},
			{Tab: store.TabReported, Mine: "none"}, {Tab: store.TabReported, AgentWords: "people a"}, {Tab: store.TabReported, AgentWords: "none"}, {Tab: store.TabSnoozed, Mine: "ana", Type: "question"}, {Viewer: "ana"},
		} {
			held, asked := ask(q, 0), ask(q, 1)
			if d := cmp.Diff(asked, held, cmpopts.IgnoreUnexported(store.Roster{}), cmpopts.EquateEmpty()); d != "" {
				t.Errorf("round %d, %+v: from the database, and from memory:\n%s", round, q, d)
			}
			if q.Type == "" && q.Mine == "" && q.AgentWords == "" && q.Department == "" && q.Agent == "" && q.To == "" && q.SinceBefore == 0 && (held.Total == 0 || held.Reported == 0) {
				t.Errorf("round %d, %+v: nothing needs a human, or nothing is reported", round, q)
			}
			if (q.Tab == store.TabReported || q.Tab == store.TabSnoozed) && len(held.Items) == 0 && q.Mine != "none" && q.AgentWords != "none" && (q.Department == "" && q.AgentWords == "" || round > 0) {
				t.Errorf("round %d, %+v: nothing is there", round, q)
			}
		}
	}
}

// TestReportedAsksOfManyPeople tests that what a hundred people see of a workspace with many reported asks is kept for each of
// them until a reported ask changes.
func TestReportedAsksOfManyPeople(t *testing.T) {
	s := openSQLite(t)
	s.maxOpen = 1
	if err := s.AddWorkspace(ctx, store.Act{At: 1}, store.Workspace{ID: "w", Slug: "w", Name: "W"}, ""); err != nil {
		t.Fatal(err)
	}
	push := func(rest string) {
		read, err := figs.ReadPush([]byte(`{"workspaceId":"w","agent":{"id":"0d4f2a3c-1111-4222-8333-000000000001","name":"A"},` + rest + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Push(ctx, store.Push{Workspace: "w", Act: store.Act{At: 2}, Body: read}); err != nil {
			t.Fatal(err)
		}
	}
	const people = 100
	for i := range people {
		u := store.User{ID: fmt.Sprint("p", i), Email: fmt.Sprintf("p%d@example.org", i), Name: fmt.Sprint("P ", i), Created: 1}
		if err := s.AddUser(ctx, store.Act{At: 1}, u); err != nil {
			t.Fatal(err)
		}
		if err := s.SetMember(ctx, store.Act{At: 1}, "w", u.ID, store.Member); err != nil {
			t.Fatal(err)
		}
	}
	seen := func() map[*inboxEntry]bool { // the first of each person's, by where it is kept
		for i := range people {
			if in, err := s.Inbox(ctx, store.InboxQuery{Workspace: "w", Mine: fmt.Sprint("p", i)}); err != nil || in.Reported != 1 {
				t.Fatalf("p%d sees %d reported asks, %v", i, in.Reported, err)
			}
		}
		kept := map[*inboxEntry]bool{}
		for _, list := range s.reported.All() {
			kept[&list.all[0]] = true
		}
		return kept
	}
	var asks, messages []string
	for i := range people {
		asks = append(asks, fmt.Sprintf(`{"id":"a%d","ts":"2026-11-20T10:00:00Z","type":"question","title":"T","status":"open"}`, i))
		messages = append(messages, fmt.Sprintf(`{"id":"m%d","ask":"a%d","kind":"answer","by":"P %d","text":"t","ts":"2026-11-20T11:00:00Z"}`, i, i, i))
	}
	push(`"asks":[` + strings.Join(asks, ",") + `],"messages":[` + strings.Join(messages, ",") + `]`)
	first := seen()
	push(`"runs":[{"id":"r1","ts":"2026-11-20T10:00:00Z"}]`)
	push(`"asks":[{"id":"new","ts":"2026-11-20T10:00:00Z","type":"question","title":"T","status":"open"}]`)
	if second := seen(); len(first) != 1+people || !maps.Equal(first, second) {
		t.Errorf("%d and %d lists are kept before and after pushes that change no reported ask", len(first), len(second))
	}
	push(`"asks":[{"id":"a7","ts":"2026-11-20T10:00:00Z","type":"question","title":"Another","status":"open"}]`)
	third := seen()
	for entry := range third {
		if first[entry] {
			t.Fatal("a list is kept after a push of a reported ask")
		}
	}
	if len(third) != 1+people {
		t.Errorf("%d lists are kept", len(third))
	}
	s.dropCaches("w")
	if left := s.reported.All(); len(left) > 0 {
		t.Errorf("%d lists are kept of a workspace that is dropped", len(left))
	}
}

// TestCachedInboxAfterJobs tests that the cache gives the same answers as a new process after any push, and that a push of
// only jobs doesn't invalidate it.
func TestCachedInboxAfterJobs(t *testing.T) {
	s := openSQLite(t)
	if err := s.AddWorkspace(ctx, store.Act{At: 1}, store.Workspace{ID: "w", Slug: "w", Name: "W"}, ""); err != nil {
		t.Fatal(err)
	}
	look := func(s *Store) *store.Inbox {
		in, err := s.Inbox(ctx, store.InboxQuery{Workspace: "w", Now: 10})
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	for i, c := range []struct {
		push   string
		leaves bool
	}{
		{`"runs":[{"id":"r1","ts":"2026-11-20T10:00:00Z","title":"First"}]`, false}, // the agent is new
		{`"asks":[{"id":"a1","ts":"2026-11-20T10:00:00Z","type":"question","run":"r1","title":"T","status":"open"}]`, false},
		{`"runs":[{"id":"r1","ts":"2026-11-20T10:00:00Z","title":"Second"},{"id":"r2","ts":"2026-11-20T10:00:00Z"}]`, true},
		{`"runs":[{"id":"r1","ts":"2026-11-20T10:00:00Z","title":"Second","status":"completed"}]`, true},
		{`"runs":[{"id":"r3","ts":"2026-11-20T10:00:00Z"}],"messages":[{"id":"m1","ask":"a1","kind":"answer","by":"Ana","text":"t","ts":"2026-11-20T11:00:00Z"}]`, false},
		{`"runs":[{"id":"r4","ts":"2026-11-20T10:00:00Z"}],"asks":[{"id":"a2","ts":"2026-11-20T10:00:00Z","type":"question","title":"T","status":"open"}]`, false},
		{`"runs":[{"id":"r5","ts":"2026-11-20T10:00:00Z"}]`, true},
		{`"asks":[{"id":"a2","ts":"2026-11-20T10:00:00Z","type":"question","title":"T","status":"resolved"}]`, false},
	} {
		read, err := figs.ReadPush([]byte(`{"workspaceId":"w","agent":{"id":"0d4f2a3c-1111-4222-8333-000000000001","name":"A"},` + c.push + `}`))
		if err != nil {
			t.Fatal(err)
		}
		before := s.inboxes.All()
		if done, err := s.Push(ctx, store.Push{Workspace: "w", Act: store.Act{At: int64(2 + i)}, Body: read}); err != nil || !done.Changed {
			t.Fatalf("push %d: %+v, %v", i, done, err)
		}
		held := look(s)
		if left := len(before) == 1 && s.inboxes.All()[0] == before[0]; left != c.leaves {
			t.Errorf("push %d leaves what is held: %v, want %v", i, left, c.leaves)
		}
		fresh := &Store{DB: &sqldb.DB{Read: s.Read, Write: s.Write, Dialect: s.Dialect}}
		fresh.initCaches()
		if d := cmp.Diff(look(fresh), held, cmpopts.IgnoreUnexported(store.Roster{}), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("push %d: from nothing, and from memory:\n%s", i, d)
		}
	}
}

// TestNameKey tests that the index finds exactly the member that store.MemberNamed returns.
func TestNameKey(t *testing.T) {
	names := []string{"Ana", "ANA", " ana\n", "An", "Straße", "STRASSE", "straße", "kelvin", "\u212Aelvin", "Kelvin", "\u0130", "i\u0307", "I", "ſ", "S", "ωmega", "Ωmega", "a b", "a  b", "ana@acme.example"}
	for _, a := range names {
		for _, b := range names {
			want := store.MemberNamed(a, 1, []store.User{{ID: "x", Name: b}}) == "x"
			if got := nameKey(a) == nameKey(b); got != want {
				t.Errorf("%q and %q: the keys are %q and %q, Named says %v", a, b, nameKey(a), nameKey(b), want)
			}
		}
	}
	for _, nobody := range []string{"", " \n", "a\x1eb", "a\x00b", "a\xffb", strings.Repeat("a", maxText)} {
		if key := nameKey(nobody); key != "" {
			t.Errorf("the key of %.20q is %.20q", nobody, key)
		}
	}
}

// TestCachedInboxOfManyWorkspaces tests that a change of one of many workspaces doesn't affect what is cached of others,
// and that concurrent readers read it once.
func TestCachedInboxOfManyWorkspaces(t *testing.T) {
	s := openSQLite(t)
	look := func(w string) {
		if _, err := s.Inbox(ctx, store.InboxQuery{Workspace: w, Now: noonOfTests}); err != nil {
			t.Error(err)
		}
	}
	const many = 70
	for i := range many {
		w := fmt.Sprint("w", i)
		if err := s.AddWorkspace(ctx, store.Act{At: 1}, store.Workspace{ID: w, Slug: w, Name: w}, ""); err != nil {
			t.Fatal(err)
		}
		look(w)
	}
	before := s.inboxes.All()
	if err := ingest(s, "w7", noonOfTests)(pushBody("w7", 3, 0, 0), ""); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { look("w7") })
	}
	all.Wait()
	left := 0
	for _, h := range s.inboxes.All() {
		left += sqldb.BoolInt(slices.Contains(before, h))
	}
	if n := len(s.rosters.All()); len(before) != many || left != many-1 || n != many {
		t.Errorf("of %d, %d are still cached, and %d rosters", len(before), left, n)
	}
}
