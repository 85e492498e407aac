//go:build unix

package sqlstore

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// TestLargePushFailsAsAWhole tests that if an insert in the middle of a large push fails, nothing of the push is stored,
// the error is returned, and the next attempt stores the same as a push that isn't split.
func TestLargePushFailsAsAWhole(t *testing.T) {
	s, other := openSQLite(t), openSQLite(t)
	workspace := store.Workspace{ID: store.NewID(), Slug: "w", Name: "W"}
	for _, s := range []*Store{s, other} {
		if err := s.AddWorkspace(ctx, store.Act{At: 1}, workspace, ""); err != nil {
			t.Fatal(err)
		}
	}
	body := largePushBody(workspace.ID, 1<<20)
	push := func(s *Store) error {
		t.Helper()
		read, err := figs.ReadPush(body)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(read.Records); n < largePush {
			t.Fatalf("%d records are no large push", n)
		}
		_, err = s.Push(ctx, store.Push{Workspace: workspace.ID, Act: store.Act{At: noonOfTests}, Digest: "large", Body: read})
		return err
	}
	const last = "close-001000"
	if _, err := s.Write.ExecContext(ctx, `CREATE TRIGGER refuse BEFORE INSERT ON trail WHEN new.line LIKE '%`+last+`"%' BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`); err != nil {
		t.Fatal(err)
	}
	if err := push(s); err == nil || !strings.Contains(err.Error(), "refused by the test") {
		t.Errorf("the push ended with %v", err)
	}
	if _, err := s.Agent(ctx, largePushAgent); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("after the push that failed the agent is there: %v", err)
	}
	if found := search(t, s, workspace.ID, "customer 0"); len(found) > 0 {
		t.Errorf("after the push that failed search finds %v", found)
	}
	if _, err := s.Write.ExecContext(ctx, `DROP TRIGGER refuse`); err != nil {
		t.Fatal(err)
	}
	other.largePush = 1 << 30
	for _, s := range []*Store{s, other} {
		if err := push(s); err != nil {
			t.Fatal(err)
		}
	}
	for _, words := range []string{"customer 1000", "customer 201", "s-1000", "Fine customer 201"} {
		if parts, once := search(t, s, workspace.ID, words), search(t, other, workspace.ID, words); len(parts) == 0 || fmt.Sprint(parts) != fmt.Sprint(once) {
			t.Errorf("%s: found %v after a push in parts, %v after one at once", words, parts, once)
		}
	}
	parts, err := s.StateHash(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if once, err := other.StateHash(ctx); err != nil || parts != once {
		t.Errorf("in parts the state hash is %s, at once %s (%v)", parts, once, err)
	}
}

// search returns the ids of the hits, in order.
func search(t *testing.T, s *Store, workspace, words string) (ids []string) {
	t.Helper()
	found, err := s.Search(ctx, store.SearchQuery{Workspace: workspace, Text: words, N: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, hit := range found.Hits {
		ids = append(ids, hit.ID)
	}
	slices.Sort(ids)
	return ids
}
