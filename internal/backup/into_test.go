package backup

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
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
	var damaged *Damaged
	if _, err := Restore(ctx, o); !errors.As(err, &damaged) || len(damaged.Problems) != 1 || taken != 0 {
		t.Errorf("%v, taken %d times, want *Damaged", err, taken)
	}
	if _, err := os.Stat(filepath.Join(dir, sha([]byte("FIRST"))[:2])); err == nil {
		t.Error("the damaged one was kept under another hash")
	}
	o.Partial = true
	if proof, err := Restore(ctx, o); err != nil || len(proof.LeftOut) != 1 || taken != 1 {
		t.Errorf("what is sound alone: %+v, %v, taken %d times", proof, err, taken)
	}
}
