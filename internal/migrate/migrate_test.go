package migrate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

var ctx = context.Background()

const agent = "0d4f2a3c-1111-4222-8333-000000000001"

// kept is a reader's database and attachments.
type kept struct {
	*testing.T
	s         *sqlstore.Store
	blobs     *blob.Folder
	dir       string // of the attachments
	workspace string
}

func newKept(t *testing.T) *kept {
	k := &kept{T: t, s: openFile(t), dir: t.TempDir(), workspace: store.NewID()}
	var err error
	k.blobs, err = blob.OpenFolder(k.dir)
	k.ok(err)
	k.ok(k.s.AddWorkspace(ctx, store.Act{At: 1}, store.Workspace{ID: k.workspace, Slug: "acme", Name: "Acme"}, ""))
	k.push(agent, 1)
	return k
}

func openFile(t *testing.T) *sqlstore.Store {
	t.Helper()
	s, err := sqlstore.OpenSQLite(ctx, filepath.Join(t.TempDir(), "figs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func (k *kept) ok(err error) {
	k.Helper()
	if err != nil {
		k.Fatal(err)
	}
}

func (k *kept) push(agent string, n int) {
	k.Helper()
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"N"},"runs":[{"id":"r%d","ts":"2026-11-20T10:00:00Z"}]}`, k.workspace, agent, n))
	k.ok(err)
	_, err = k.s.Push(ctx, store.Push{Workspace: k.workspace, Act: store.Act{At: int64(n)}, Body: body})
	k.ok(err)
}

func hashOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

func (k *kept) attach(content string) (hash string) {
	k.Helper()
	hash, size, err := k.blobs.Put(ctx, strings.NewReader(content), 1<<20)
	k.ok(err)
	_, err = k.s.Attach(ctx, store.Act{At: 1}, store.Attachment{Agent: agent, Name: hash[:8], SHA256: hash, Size: size}, "")
	k.ok(err)
	return hash
}

// file is where a folder keeps an attachment.
func file(dir, hash string) string { return filepath.Join(dir, hash[:2], hash) }

// Every attachment that is named arrives, whatever lies in its way; what the source has lost is told.
func TestAttachments(t *testing.T) {
	k := newKept(t)
	for _, content := range []string{"", "one", "two", "three", "lost", "damaged", "there", "spoilt there"} {
		k.attach(content)
	}
	k.ok(os.Remove(file(k.dir, hashOf("lost"))))
	k.ok(os.WriteFile(file(k.dir, hashOf("damaged")), []byte("DAMAGED"), 0o600))
	target := t.TempDir()
	to, err := blob.OpenFolder(target)
	k.ok(err)
	for _, content := range []string{"there", "spoilt there", "nobody names it"} {
		_, _, err := to.Put(ctx, strings.NewReader(content), 100)
		k.ok(err)
	}
	k.ok(os.WriteFile(file(target, hashOf("spoilt there")), []byte("SPOILT THERE"), 0o600))
	o := Options{From: k.s, To: openFile(t), FromBlobs: k.blobs, ToBlobs: to}
	moved, err := Run(ctx, o)
	k.ok(err)
	if moved.Blobs != 6 || moved.New != 5 || len(moved.Missing) != 2 || moved.Bytes != int64(len("onetwothreetherespoilt there")) {
		t.Errorf("moved %+v, want 6 attachments, 5 of them new, and 2 missing", moved)
	}
	for _, content := range []string{"", "one", "two", "three", "there", "spoilt there"} {
		if b, err := os.ReadFile(file(target, hashOf(content))); string(b) != content || err != nil {
			t.Errorf("%q arrived as %q, %v", content, b, err)
		}
	}
	// Attachments alone, once more: nothing is written.
	moved, err = Run(ctx, Options{From: k.s, FromBlobs: k.blobs, ToBlobs: to})
	if err != nil || moved.New != 0 || moved.Blobs != 6 || moved.State != "" {
		t.Errorf("attachments alone, again: %+v, %v", moved, err)
	}
}

// Bytes that wait to be removed for good don't move; the rows that say so do, and the report names the bytes that the
// source still holds.
func TestUnremoved(t *testing.T) {
	k := newKept(t)
	for _, content := range []string{"kept", "erased", "erased and gone", "erased and damaged"} {
		k.attach(content)
	}
	for _, content := range []string{"erased", "erased and gone", "erased and damaged"} {
		_, err := k.s.Erase(ctx, store.Act{At: 2}, store.Erasure{Workspace: k.workspace, Agent: agent, Kind: store.ErasedFile, ID: hashOf(content)[:8], SHA256: hashOf(content), At: 2})
		k.ok(err)
	}
	k.ok(os.Remove(file(k.dir, hashOf("erased and gone"))))
	k.ok(os.WriteFile(file(k.dir, hashOf("erased and damaged")), []byte("DAMAGED"), 0o600))
	waiting, err := k.s.Removals(ctx, "")
	k.ok(err)
	if len(waiting) != 3 {
		t.Fatalf("%d files wait to be removed, want 3", len(waiting))
	}
	target := t.TempDir()
	blobs, err := blob.OpenFolder(target)
	k.ok(err)
	to := openFile(t)
	moved, err := Run(ctx, Options{From: k.s, To: to, FromBlobs: k.blobs, ToBlobs: blobs})
	k.ok(err)
	want := []string{hashOf("erased"), hashOf("erased and damaged")}
	slices.Sort(want)
	slices.Sort(moved.Unremoved)
	if !slices.Equal(moved.Unremoved, want) || moved.Blobs != 1 {
		t.Errorf("moved %d attachments, and these are still to be removed in the source: %v; want 1 and %v", moved.Blobs, moved.Unremoved, want)
	}
	if carried, err := to.Removals(ctx, ""); err != nil || !slices.Equal(carried, waiting) {
		t.Errorf("in the target wait %v, %v; want %v", carried, err, waiting)
	}
	for _, content := range []string{"erased", "erased and damaged"} {
		if _, err := os.Stat(file(k.dir, hashOf(content))); err != nil {
			t.Errorf("the source is only read, and %q is gone: %v", content, err)
		}
		if _, err := os.Stat(file(target, hashOf(content))); err == nil {
			t.Errorf("%q moved", content)
		}
	}
}

// liar keeps other bytes than it is given.
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

// A place that does not keep what it is given is noticed, and the target stays marked.
func TestSpoilt(t *testing.T) {
	k := newKept(t)
	k.attach("one")
	there, err := blob.OpenFolder(t.TempDir())
	k.ok(err)
	to := openFile(t)
	var spoilt *Spoilt
	if _, err := Run(ctx, Options{From: k.s, To: to, FromBlobs: k.blobs, ToBlobs: liar{there}}); !errors.As(err, &spoilt) || spoilt.SHA256 != hashOf("one") {
		t.Errorf("%v, want *Spoilt", err)
	}
	var unfinished *store.Unfinished
	if err := to.Finished(ctx); !errors.As(err, &unfinished) {
		t.Errorf("afterwards: %v, want *store.Unfinished", err)
	}
}

// What comes while it is copied is not in the copy, and that is told: as a failure, or where it was expected as a fact.
func TestChanged(t *testing.T) {
	k := newKept(t)
	k.attach("one")
	pushed := 1
	meanwhile := func() func(s Stage, done, total int64) {
		did := false
		return func(s Stage, done, total int64) {
			if s == Rows && done >= total/2 && !did {
				did = true
				pushed++
				k.push(agent, pushed)
			}
		}
	}
	before, err := k.s.StateHash(ctx)
	k.ok(err)
	to := openFile(t)
	if _, err := Run(ctx, Options{From: k.s, To: to, Progress: meanwhile()}); !errors.Is(err, ErrChanged) || pushed == 1 {
		t.Errorf("%v after %d pushes, want ErrChanged", err, pushed)
	}
	var other *store.OtherSource
	if _, err := Run(ctx, Options{From: k.s, To: to, Progress: meanwhile()}); !errors.As(err, &other) {
		t.Errorf("going on: %v, want *store.OtherSource", err)
	}
	moved, err := Run(ctx, Options{From: k.s, To: to, Again: true})
	k.ok(err)
	if now, err := k.s.StateHash(ctx); err != nil || moved.State != now || moved.Followed || now == before {
		t.Errorf("again: %+v, want the state %s, %v", moved, now, err)
	}
	before, err = k.s.StateHash(ctx)
	k.ok(err)
	to = openFile(t)
	moved, err = Run(ctx, Options{From: k.s, To: to, Running: true, Progress: meanwhile()})
	if err != nil || moved.State != before || !moved.Followed {
		t.Errorf("while it is in use: %+v, %v, want the state %s", moved, err, before)
	}
	if err := to.Finished(ctx); err != nil {
		t.Error(err)
	}
}

// What was written to the source while it was copied is noticed also where no workspace's number and no chain tells of it.
func TestQuietWritesAreNoticed(t *testing.T) {
	for name, write := range map[string]func(k *kept){
		"feedback": func(k *kept) {
			k.ok(k.s.AddFeedback(ctx, store.Feedback{ID: "f", Workspace: k.workspace, Person: "ana", Text: "keep me", At: 5}))
		},
		"a ticket that is used": func(k *kept) { _, err := k.s.UseTicket(ctx, "x", "k", 1); k.ok(err) },
		"a session": func(k *kept) {
			k.ok(k.s.SaveSession(ctx, store.Session{Hash: "s", User: "ana", Created: 1, Used: 1, Expires: 1 << 60}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKept(t)
			k.ok(k.s.AddUser(ctx, store.Act{At: 1}, store.User{ID: "ana", Email: "ana@acme.example", Name: "Ana"}))
			k.ok(k.s.SetMember(ctx, store.Act{At: 1}, k.workspace, "ana", store.Owner))
			k.ok(k.s.AddTicket(ctx, store.Ticket{Hash: "x", Kind: "k", Person: "ana", Data: []byte{}, Expires: 1 << 60}))
			for _, running := range []bool{false, true} {
				_, err := Run(ctx, Options{From: k.s, To: openFile(t), Running: running, Progress: func(s Stage, _, _ int64) {
					if s == Proof && !running {
						write(k)
					}
				}})
				if running && err != nil || !running && !errors.Is(err, ErrChanged) {
					t.Errorf("with a running server %v: %v", running, err)
				}
			}
		})
	}
}
