package cli

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/store"
)

// A server that is told to removes what was deleted 30 days ago, and nothing before.
func TestPurgeDue(t *testing.T) {
	ctx, deleted := context.Background(), time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)
	dir := filepath.Join(t.TempDir(), "data")
	if got := run(t, "admin", "--data", dir, "workspace", "create", "--name", "Acme"); got.code != 0 {
		t.Fatal(got.stderr)
	}
	data, err := openFolder(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	acme, err := data.Store.Workspace(ctx, "acme")
	if err != nil {
		t.Fatal(err)
	}
	body, err := figs.ReadPush([]byte(`{"workspaceId":"` + acme.ID + `","agent":{"id":"` + roundsAgent + `","name":"N"}}`))
	if err == nil {
		_, err = data.Store.Push(ctx, store.Push{Workspace: acme.ID, Act: store.Act{At: 1}, Body: body})
	}
	hash, size, failed := data.Blobs.Put(ctx, strings.NewReader("bytes"), 10)
	if err = errors.Join(err, failed); err == nil {
		_, err = data.Store.Attach(ctx, store.Act{At: 1}, store.Attachment{Agent: roundsAgent, Name: "a.txt", SHA256: hash, Size: size}, "")
	}
	if err == nil {
		err = data.Store.DeleteWorkspace(ctx, store.Act{At: deleted.UnixMicro()}, acme.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	datadir.PurgeDue(ctx, data, deleted.Add(datadir.BringBack-time.Second), slog.New(slog.DiscardHandler))
	if w, err := data.Store.Workspace(ctx, "acme"); err != nil || w.Purged() {
		t.Fatalf("a second before it is %+v, %v, want it there", w, err)
	}
	datadir.PurgeDue(ctx, data, deleted.Add(datadir.BringBack), slog.New(slog.DiscardHandler))
	if removed, waiting, err := data.RemoveBytes(ctx, ""); removed != 1 || waiting != 0 || err != nil {
		t.Errorf("%d attachments were removed and %d wait, %v, want 1 and none", removed, waiting, err)
	}
	if w, err := data.Store.Workspace(ctx, acme.ID); err != nil || !w.Purged() {
		t.Errorf("after 30 days it is %+v, %v, want it purged", w, err)
	}
	if _, _, err := data.Blobs.Open(ctx, hash); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("its attachment: %v, want ErrNotFound", err)
	}
}

// Bytes that somebody else names while a workspace is purged stay.
func TestPurgeMeetsUpload(t *testing.T) {
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "data")
	for _, name := range []string{"Acme", "Other"} {
		if got := run(t, "admin", "--data", dir, "workspace", "create", "--name", name); got.code != 0 {
			t.Fatal(got.stderr)
		}
	}
	data, err := openFolder(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	hash, size, err := data.Blobs.Put(ctx, strings.NewReader("bytes"), 10)
	attach := func(workspace, agent string) {
		t.Helper()
		w, err := data.Store.Workspace(ctx, workspace)
		if err != nil {
			t.Fatal(err)
		}
		body, err := figs.ReadPush([]byte(`{"workspaceId":"` + w.ID + `","agent":{"id":"` + agent + `","name":"N"}}`))
		if err == nil {
			_, err = data.Store.Push(ctx, store.Push{Workspace: w.ID, Act: store.Act{At: 1}, Body: body})
		}
		if err == nil {
			_, err = data.Store.Attach(ctx, store.Act{At: 1}, store.Attachment{Agent: agent, Name: "a.txt", SHA256: hash, Size: size}, "")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	attach("acme", roundsAgent)
	acme, failed := data.Store.Workspace(ctx, "acme")
	if err = errors.Join(err, failed, data.Store.DeleteWorkspace(ctx, store.Act{At: 2}, acme.ID)); err != nil {
		t.Fatal(err)
	}
	if err := data.Store.PurgeWorkspace(ctx, store.Act{At: 3}, acme.ID); err != nil {
		t.Fatal(err)
	}
	attach("other", "0d4f2a3c-1111-4222-8333-00000000000b")
	removed, waiting, err := data.RemoveBytes(ctx, "")
	if removed != 0 || waiting != 0 || err != nil {
		t.Errorf("%d attachments were removed, %v, want none: another workspace has those bytes", removed, err)
	}
	r, _, err := data.Blobs.Open(ctx, hash)
	if err != nil {
		t.Fatalf("the bytes: %v", err)
	}
	r.Close()
}
