//go:build unix

package sqlstore

import (
	"testing"

	"github.com/figs-web/figs-web/internal/store"
)

// TestClearFormerMembers tests that managers and builders that older versions left are cleared once, with an audit row, and
// that the inbox is right before that, too.
func TestClearFormerMembers(t *testing.T) {
	for name, orphan := range map[string]string{
		"removed": `DELETE FROM members WHERE person = 'bo'`,
		"viewer":  `UPDATE members SET role = 'viewer' WHERE person = 'bo'`,
	} {
		t.Run(name, func(t *testing.T) {
			s := openSQLite(t)
			must := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			for _, u := range []store.User{{ID: "ana", Email: "ana@example.org", Name: "Ana"}, {ID: "bo", Email: "bo@example.org", Name: "Bo"}} {
				must(s.AddUser(ctx, store.Act{At: 1}, u))
			}
			must(s.AddWorkspace(ctx, store.Act{At: 1}, store.Workspace{ID: "w", Slug: "w", Name: "W"}, "ana"))
			must(s.SetMember(ctx, store.Act{At: 1}, "w", "bo", store.Member))
			const agent = "0d4f2a3c-1111-4222-8333-000000000001"
			must(ingest(s, "w", 2)([]byte(`{"workspaceId":"w","agent":{"id":"`+agent+`","name":"A"},"asks":[{"id":"a","type":"question","title":"T","to":"manager","ts":"2026-11-20T10:00:00Z"}]}`), "push"))
			must(s.Assign(ctx, store.Act{At: 3}, agent, "bo", "bo"))
			_, err := s.Write.Exec(orphan)
			must(err)
			_, err = s.Write.Exec(`UPDATE workspaces SET seq = seq + 1, roster = seq + 1`)
			must(err)
			in, err := s.Inbox(ctx, store.InboxQuery{Workspace: "w", Mine: "ana"})
			must(err)
			if len(in.Items) != 1 {
				t.Errorf("an orphaned ask is in the owner's inbox %d times before the repair", len(in.Items))
			}
			for i, want := range []int{1, 0} {
				if n, err := s.ClearFormerMembers(ctx, store.Act{At: 4}); err != nil || n != want {
					t.Errorf("repair %d: %d, %v, want %d", i, n, err, want)
				}
			}
			a, err := s.Agent(ctx, agent)
			must(err)
			rows, err := s.Audit(ctx, "w", store.AuditQuery{N: 2})
			must(err)
			if a.Manager != "" || a.Builder != "" || len(rows) != 2 || rows[0].Action != "agent.vacate" || rows[1].Subject != agent+" manager bo" {
				t.Errorf("repaired: %+v, audit %+v", a, rows)
			}
		})
	}
}
