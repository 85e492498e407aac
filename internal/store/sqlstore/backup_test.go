//go:build unix

package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// TestSnapshot tests that a snapshot of a store that is written to is consistent, and is itself a store.
func TestSnapshot(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	s, err := OpenSQLite(ctx, filepath.Join(dir, "it's 100% figs.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	snapshots(t, s, dir)
}

// snapshots takes snapshots of a store while it is pushed to.
func snapshots(t *testing.T, s *Store, dir string) {
	t.Helper()
	workspace := store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Acme"}
	if err := s.AddWorkspace(ctx, store.Act{At: 1}, workspace, ""); err != nil {
		t.Fatal(err)
	}
	push := func(n int) error {
		body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":"0d4f2a3c-1111-4222-8333-000000000001","name":"N"},"runs":[{"id":"r%d","ts":"2026-11-20T10:00:00Z"},{"id":"s%d","ts":"2026-11-20T10:00:00Z"}]}`, workspace.ID, n, n))
		if err == nil {
			_, err = s.Push(ctx, store.Push{Workspace: workspace.ID, Act: store.Act{At: int64(n)}, Body: body})
		}
		return err
	}
	if err := push(0); err != nil {
		t.Fatal(err)
	}
	copied, pushed := make(chan bool), make(chan error)
	go func() {
		var err error
		for n := 1; err == nil; n++ {
			select {
			case <-copied:
				pushed <- nil
				return
			default:
				err = push(n)
			}
		}
		pushed <- err
	}()
	for n := range 3 {
		file := filepath.Join(dir, fmt.Sprintf("copy %d's.db", n))
		if err := s.Snapshot(ctx, file); err != nil {
			t.Fatal(err)
		}
		if err := s.Snapshot(ctx, file); err == nil {
			t.Error("a snapshot was written over another")
		}
		c, err := OpenSQLite(ctx, file)
		if err != nil {
			t.Fatal(err)
		}
		a, err := c.Agent(ctx, "0d4f2a3c-1111-4222-8333-000000000001")
		if chain, broken := c.VerifyAudit(ctx, workspace.ID); err != nil || broken != nil || chain.Broken != 0 || a.Counts.Jobs == 0 || a.Counts.Jobs%2 != 0 {
			t.Errorf("the copy has %d jobs of pairs, chain %+v, %v %v", a.Counts.Jobs, chain, err, broken)
		}
		c.Close()
	}
	close(copied)
	if err := <-pushed; err != nil {
		t.Fatal(err)
	}
}

func TestNewerSchemaError(t *testing.T) {
	ctx, file := context.Background(), filepath.Join(t.TempDir(), "figs.db")
	s, err := OpenSQLite(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Write.ExecContext(ctx, `INSERT INTO migrations (no, name, checksum) VALUES (999, 'later', '')`); err != nil {
		t.Fatal(err)
	}
	s.Close()
	var newer *store.NewerSchemaError
	if _, err := OpenSQLite(ctx, file); !errors.As(err, &newer) || newer.Step != 999 {
		t.Errorf("opening it: %v, want *store.Newer of step 999", err)
	}
}
