package backup

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

// What takes the place of a folder gets the proven store, and each attachment; and of a backup that is not sound, no store.
func TestInto(t *testing.T) {
	k := newKept(t)
	state, err := k.s.StateHash(ctx)
	k.ok(err)
	for _, name := range []string{"folder", "all.tar.gz"} {
		to, temp, dir := filepath.Join(t.TempDir(), name), t.TempDir(), t.TempDir()
		k.back(to)
		blobs, err := blob.OpenFolder(dir)
		k.ok(err)
		got, refuses := "", errors.New("no")
		o := RestoreOptions{From: to, Temp: temp, Open: open, Blobs: blobs, Into: func(ctx context.Context, proven store.Store) (err error) {
			got, err = proven.StateHash(ctx)
			return err
		}}
		proof, err := Restore(ctx, o)
		if err != nil || proof.State != state || got != state {
			t.Errorf("%s: %+v, %v; what takes it has seen the state %s", name, proof, err, got)
		}
		for _, content := range []string{"first", "second"} {
			r, _, err := blobs.Open(ctx, sha([]byte(content)))
			k.ok(err)
			if b, err := io.ReadAll(r); string(b) != content || err != nil {
				t.Errorf("%s: %q arrived as %q, %v", name, content, b, err)
			}
			r.Close()
		}
		o.Into = func(context.Context, store.Store) error { return refuses }
		if _, err := Restore(ctx, o); !errors.Is(err, refuses) {
			t.Errorf("%s: %v, want what the taker says", name, err)
		}
		if left := all(t, temp); len(left) > 0 {
			t.Errorf("%s leaves %v behind", name, left)
		}
	}
	// Only attachments go elsewhere.
	to, dir, target := filepath.Join(t.TempDir(), "backup"), t.TempDir(), filepath.Join(t.TempDir(), "data")
	k.back(to)
	blobs, err := blob.OpenFolder(dir)
	k.ok(err)
	if _, err := Restore(ctx, RestoreOptions{From: to, To: target, Open: open, Blobs: blobs}); err != nil {
		t.Fatal(err)
	}
	if there := all(t, target); len(there) != 1 || there[0] != "figs.db" {
		t.Errorf("the folder has %v, want the database alone", there)
	}
}

// TestIntoReadsBack checks that an attachment that the storage holds with other bytes is replaced, and that storage which
// returns other bytes than it is given is an error.
func TestIntoReadsBack(t *testing.T) {
	k := newKept(t)
	to, dir := filepath.Join(t.TempDir(), "backup"), t.TempDir()
	k.back(to)
	blobs, err := blob.OpenFolder(dir)
	k.ok(err)
	hash := sha([]byte("first"))
	_, _, err = blobs.Put(ctx, strings.NewReader("first"), 100)
	k.ok(err)
	file := filepath.Join(dir, hash[:2], hash)
	k.ok(os.WriteFile(file, []byte("FIRST"), 0o600))
	o := RestoreOptions{From: to, Open: open, Blobs: blobs, Into: func(context.Context, store.Store) error { return nil }}
	_, err = Restore(ctx, o)
	k.ok(err)
	if b, err := os.ReadFile(file); string(b) != "first" || err != nil {
		t.Errorf("what was there with other bytes is %q now, %v", b, err)
	}
	o.Blobs = liar{blobs}
	var damaged *blob.DamagedError
	if _, err := Restore(ctx, o); !errors.As(err, &damaged) {
		t.Errorf("%v, want *blob.Damaged", err)
	}
}

// liar returns other bytes than it was given.
type liar struct{ blob.Store }

func (l liar) Open(ctx context.Context, hash string) (io.ReadSeekCloser, int64, error) {
	r, n, err := l.Store.Open(ctx, hash)
	if err == nil {
		r.Close()
		r, n = lie{strings.NewReader("lie")}, 3
	}
	return r, n, err
}

type lie struct{ *strings.Reader }

func (lie) Close() error { return nil }

// TestCopy checks that a store which was copied answers as before, and can be opened by servers only once it is whole.
func TestCopy(t *testing.T) {
	k := newKept(t)
	_, err := k.s.Erase(ctx, store.Act{At: 2}, store.Erasure{Workspace: k.workspace.ID, Agent: agent, Kind: store.EraseAttachment, ID: "a.txt", SHA256: sha([]byte("first")), At: 2})
	k.ok(err)
	to, err := sqlstore.OpenSQLite(ctx, filepath.Join(t.TempDir(), "figs.db"))
	k.ok(err)
	defer to.Close()
	stopped, stop := context.WithCancel(ctx)
	if err := Copy(stopped, k.s, to, store.CopyOptions{Progress: func(int64, int64) { stop() }}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	var unfinished *store.UnfinishedCopyError
	if err := to.CheckFinished(ctx); !errors.As(err, &unfinished) {
		t.Errorf("stopped in the middle: %v, want *store.Unfinished", err)
	}
	k.ok(Copy(ctx, k.s, to, store.CopyOptions{}))
	k.ok(to.CheckFinished(ctx))
	want, err := k.s.BlobRemovals(ctx, "")
	k.ok(err)
	if got, err := to.BlobRemovals(ctx, ""); err != nil || len(want) != 1 || !slices.Equal(got, want) {
		t.Errorf("%v are still to be removed, %v, want %v", got, err, want)
	}
	var held *store.NotEmptyError
	if err := Copy(ctx, k.s, to, store.CopyOptions{}); !errors.As(err, &held) {
		t.Errorf("once more: %v, want *store.NotEmpty", err)
	}
}

func TestIntoDamaged(t *testing.T) {
	k := newKept(t)
	to := filepath.Join(t.TempDir(), "backup")
	k.back(to)
	k.ok(os.WriteFile(filepath.Join(to, blobName(sha([]byte("first")))), []byte("FIRST"), 0o600))
	dir := t.TempDir()
	blobs, err := blob.OpenFolder(dir)
	k.ok(err)
	taken := 0
	o := RestoreOptions{From: to, Open: open, Blobs: blobs, Into: func(context.Context, store.Store) error { taken++; return nil }}
	var damaged *DamagedError
	if _, err := Restore(ctx, o); !errors.As(err, &damaged) || len(damaged.Problems) != 1 || taken != 0 {
		t.Errorf("%v, taken %d times, want *Damaged", err, taken)
	}
	if _, err := os.Stat(filepath.Join(dir, sha([]byte("FIRST"))[:2])); err == nil {
		t.Error("the damaged one was kept under another hash")
	}
	o.Partial = true
	if proof, err := Restore(ctx, o); err != nil || len(proof.Skipped) != 1 || taken != 1 {
		t.Errorf("what is sound alone: %+v, %v, taken %d times", proof, err, taken)
	}
}
