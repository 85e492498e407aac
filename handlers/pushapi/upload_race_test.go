package pushapi

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
)

// between does something once: after bytes were put, and before anybody has named them.
type between struct {
	blob.Store
	does func()
}

func (b *between) Put(ctx context.Context, r io.Reader, most int64) (string, int64, error) {
	hash, size, err := b.Store.Put(ctx, r, most)
	if does := b.does; does != nil {
		b.does = nil
		does()
	}
	return hash, size, err
}

// The bytes of an upload are there when it is answered, though whoever had them too was erased in
// between; and bytes that were erased in between do not come back by it.
func TestUploadMeetsRemoval(t *testing.T) {
	blobs := &between{}
	w := newWorld(t, func(c *Config) { blobs.Store, c.Blobs = c.Blobs, blobs })
	const text = "<p>the only copy"
	w.is(w.ingest("bo", push{runs: []string{aRun}}), 200, "")
	w.is(w.upload("bo", anAgent, "old.html", text), 200, "")
	is := store.Hash(text)
	erase := func(name string) func() {
		return func() {
			w.Helper()
			_, err := w.s.Erase(ctx, store.Act{At: w.at()}, store.Erasure{Workspace: w.acme.ID, Agent: anAgent, Kind: store.EraseAttachment, ID: name, Why: "a name"})
			w.ok(err)
			_, err = w.s.RemoveBlob(ctx, is, func() error { return blobs.Remove(ctx, is) })
			w.ok(err)
		}
	}
	there := func() bool {
		w.Helper()
		r, _, err := blobs.Open(ctx, is)
		if errors.Is(err, blob.ErrNotFound) {
			return false
		}
		w.ok(err)
		defer r.Close()
		kept, err := io.ReadAll(r)
		w.ok(err)
		return string(kept) == text
	}
	blobs.does = erase("old.html")
	if w.is(w.upload("bo", anAgent, "new.html", text), 200, ""); !there() {
		t.Error("new.html is named, and its bytes are not there")
	}
	erase("new.html")()
	if there() {
		t.Fatal("nothing has the bytes, and they are there")
	}
	w.is(w.upload("bo", anAgent, "third.html", strings.ToUpper(text)), 200, "")
	blobs.does = func() { // named, erased and forgotten while the second upload is under way
		w.is(w.upload("bo", anAgent, "fourth.html", text), 200, "")
		erase("fourth.html")()
	}
	if w.is(w.upload("bo", anAgent, "fourth.html", text), 200, ""); there() {
		t.Error("the bytes of fourth.html were erased, and the upload that was under way brought them back")
	}
}
