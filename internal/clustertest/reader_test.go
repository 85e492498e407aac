//go:build unix

package clustertest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

var ctx = context.Background()

const (
	slug     = "acme"
	ana, cem = "ana@example.org", "cem@example.org" // both may decide everything
	password = "a long walk by the river"
	token    = "figs_token_of_the_test"
)

var hashed = sync.OnceValues(func() (string, error) { return accounts.HashPassword(ctx, password) })

// furnish makes a workspace with two owners and a token.
func furnish(t *testing.T, s store.Store) (workspace string, owner string) {
	t.Helper()
	hash, err := hashed()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().UnixMicro()
	act := store.Act{At: now}
	a := store.User{ID: store.NewID(), Email: ana, Name: "Ana", Password: hash, Created: now}
	b := store.User{ID: store.NewID(), Email: cem, Name: "Cem", Password: hash, Created: now}
	w := store.Workspace{ID: store.NewID(), Slug: slug, Name: "Acme", Created: now}
	for _, err := range []error{
		s.AddUser(ctx, act, a), s.AddUser(ctx, act, b), s.AddWorkspace(ctx, act, w, a.ID),
		s.SetMember(ctx, act, w.ID, b.ID, store.Owner),
		s.AddToken(ctx, act, store.Token{ID: store.NewID(), User: a.ID, Name: "test", Hash: store.Hash(token), Created: now}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return w.ID, a.ID
}

// reference is a reader to which nothing happens: one process on a folder. It is told what the nodes were told.
type reference struct {
	node             *Node
	store            *sqlstore.Store
	workspace, owner string
}

func newReference(t *testing.T, program string) *reference {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	r := &reference{node: NewNode(program, []string{"--data", dir}, nil)}
	if err := r.node.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.node.Stop(); err != nil {
			t.Error(err)
		}
	})
	var err error
	if r.store, err = sqlstore.OpenSQLite(ctx, filepath.Join(dir, "figs.db")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.store.Close() })
	r.workspace, r.owner = furnish(t, r.store)
	return r
}

// told pushes what an agent pushed, lets the same decisions be made, with the ids and times that the nodes gave them, and
// pushes what came of them.
func (r *reference) told(t *testing.T, a *Agent, decisions map[string][]byte) {
	t.Helper()
	before := NewAgent(a.ID, r.workspace, a.generation)
	before.Fat = a.Fat
	c := before.At(r.node.URL(""), token, nil)
	if err := before.publish(ctx, c, a.Pushed); err != nil {
		t.Fatal(err)
	}
	before.Pushed = a.Pushed
	for ask, line := range decisions {
		record, err := r.store.Record(ctx, a.ID, figs.Asks, ask)
		if err != nil {
			t.Fatal(err)
		}
		now := time.Now().UnixMicro()
		if _, err := r.store.Decide(ctx, store.Act{By: r.owner, At: now}, store.DecisionInput{Workspace: r.workspace, Agent: a.ID, Ask: ask, Line: line,
			Key: a.ID + ask, Saw: sight(record, a, ask), Effective: now}); err != nil {
			t.Fatalf("a decision that the nodes kept cannot be made without a fault: %v\n%s", err, line)
		}
	}
	if len(decisions) > 0 {
		if _, err := r.store.Settle(ctx, time.Now().Add(time.Hour).UnixMicro()); err != nil {
			t.Fatal(err)
		}
	}
	before.synced, before.closed = a.synced, a.closed
	if err := before.Again(ctx, c); err != nil {
		t.Fatal(err)
	}
}

// sight is a question as it stands, with its file.
func sight(r *store.Record, a *Agent, ask string) store.View {
	var n int
	fmt.Sscanf(ask, "q%d", &n)
	sum := sha256.Sum256(a.File(n))
	return store.View{Revision: store.RevisionOf(r), Files: []store.ViewedFile{{Name: FileName(n), SHA256: hex.EncodeToString(sum[:])}}}
}
