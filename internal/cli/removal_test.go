//go:build unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// failingBlobs removes nothing while it is down, and nothing of what is in stuck.
type failingBlobs struct {
	blob.Store
	down  bool
	stuck string
}

func (f *failingBlobs) Remove(ctx context.Context, sha256 string) error {
	switch {
	case f.down:
		return fmt.Errorf("the bucket is down: %w", blob.ErrUnavailable)
	case sha256 == f.stuck:
		return errors.New("this one is read-only")
	}
	return f.Store.Remove(ctx, sha256)
}

// What was erased or deleted for good is removed from storage, however often that fails first, and whoever else
// has the same bytes keeps them.
func TestRemovedBytesAreGone(t *testing.T) {
	ctx := context.Background()
	for name, at := range map[string]cmd.Where{
		"SQLite":     {Dir: t.TempDir()},
		"PostgreSQL": {Database: databaseURL(t, storetest.StartPostgres(t), "x"), Blobs: t.TempDir()},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := openAnywhere(ctx, at)
			if err != nil {
				t.Fatal(err)
			}
			defer data.Close()
			must := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			acme, other := store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Acme"}, store.Workspace{ID: store.NewID(), Slug: "other", Name: "Other"}
			ana := store.User{ID: store.NewID(), Email: "ana@acme.example", Name: "Ana"}
			must(data.Store.AddUser(ctx, store.Act{At: 1}, ana))
			agents := map[string]string{acme.ID: roundsAgent, other.ID: "0d4f2a3c-1111-4222-8333-00000000000b"}
			hashes := map[string]string{}
			attach := func(workspace, name string) {
				t.Helper()
				hash, size, err := data.Blobs.Put(ctx, strings.NewReader("bytes of "+name), 100)
				if err == nil {
					_, err = data.Store.Attach(ctx, store.Act{At: 2}, store.Attachment{Agent: agents[workspace], Name: name, SHA256: hash, Size: size}, "")
				}
				must(err)
				hashes[name] = hash
			}
			for _, w := range []store.Workspace{acme, other} {
				must(data.Store.AddWorkspace(ctx, store.Act{At: 1}, w, ana.ID))
				body, err := figs.ReadPush([]byte(`{"workspaceId":"` + w.ID + `","agent":{"id":"` + agents[w.ID] + `","name":"N"}}`))
				if err == nil {
					_, err = data.Store.Push(ctx, store.Push{Workspace: w.ID, Act: store.Act{At: 1}, Body: body})
				}
				must(err)
			}
			for _, name := range []string{"1.txt", "2.txt", "3.txt", "4.txt", "both.txt", "erased.txt"} {
				attach(acme.ID, name)
			}
			attach(other.ID, "both.txt")
			blobs := &failingBlobs{Store: data.Blobs, down: true, stuck: hashes["2.txt"]}
			data.Blobs = blobs
			removes := func(workspace string, removed, waiting int) {
				t.Helper()
				gotRemoved, gotWaiting, err := data.RemoveBytes(ctx, workspace)
				if gotRemoved != removed || gotWaiting != waiting || (err != nil) != (waiting > 0) {
					t.Errorf("%d are removed and %d wait, %v; want %d and %d", gotRemoved, gotWaiting, err, removed, waiting)
				}
			}
			// A server that is killed, or a bucket that fails, right after the row is gone.
			_, err = data.Store.Erase(ctx, store.Act{At: 3}, store.Erasure{Workspace: acme.ID, Agent: roundsAgent, Kind: store.EraseAttachment, ID: "erased.txt", Why: "a name"})
			must(err)
			removes("", 0, 1)
			must(data.Store.DeleteWorkspace(ctx, store.Act{At: 4}, acme.ID))
			must(data.Store.PurgeWorkspace(ctx, store.Act{At: 5}, acme.ID))
			removes(acme.ID, 0, 6)
			removes(other.ID, 0, 0)
			blobs.down = false
			removes("", 4, 1) // erased.txt, 1, 3 and 4; the neighbour has both.txt
			blobs.stuck = ""
			removes("", 1, 0)
			removes("", 0, 0)
			for name, hash := range hashes {
				r, _, err := data.Blobs.Open(ctx, hash)
				if err == nil {
					r.Close()
				}
				if kept := err == nil; kept != (name == "both.txt") {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
}
