package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/lock"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

var ctx = context.Background()

const agent = "0d4f2a3c-1111-4222-8333-000000000001"

// kept is a hosted reader's folder with one workspace and one agent.
type kept struct {
	*testing.T
	dir       string
	s         *sqlstore.Store
	blobs     *blob.Folder
	workspace store.Workspace
	clock     time.Time
}

func open(ctx context.Context, dir string) (store.Store, error) {
	return sqlstore.OpenSQLite(ctx, filepath.Join(dir, "figs.db"))
}

func newKept(t *testing.T) *kept {
	k := &kept{T: t, dir: filepath.Join(t.TempDir(), "data"), workspace: store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Acme"}, clock: time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)}
	k.ok(os.MkdirAll(k.dir, 0o700))
	var err error
	k.s, err = sqlstore.OpenSQLite(ctx, filepath.Join(k.dir, "figs.db"))
	k.ok(err)
	t.Cleanup(func() { k.s.Close() })
	k.blobs, err = blob.OpenFolder(filepath.Join(k.dir, "blobs"))
	k.ok(err)
	k.ok(k.s.AddWorkspace(ctx, store.Act{At: 1}, k.workspace, ""))
	k.push(1)
	k.attach("a.txt", "first")
	k.attach("b.txt", "second")
	return k
}

func (k *kept) ok(err error) {
	k.Helper()
	if err != nil {
		k.Fatal(err)
	}
}

func (k *kept) push(n int) {
	k.Helper()
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"N"},"runs":[{"id":"r%d","ts":"2026-11-20T10:00:00Z"}]}`, k.workspace.ID, agent, n))
	k.ok(err)
	_, err = k.s.Push(ctx, store.Push{Workspace: k.workspace.ID, Act: store.Act{At: int64(n)}, Body: body})
	k.ok(err)
}

func (k *kept) attach(name, content string) (hash string) {
	k.Helper()
	hash, size, err := k.blobs.Put(ctx, strings.NewReader(content), 100)
	k.ok(err)
	_, err = k.s.Attach(ctx, store.Act{At: 1}, store.Attachment{Agent: agent, Name: name, SHA256: hash, Size: size}, "")
	k.ok(err)
	return hash
}

// options are those of the next backup, a second later.
func (k *kept) options(to string) Options {
	k.clock = k.clock.Add(time.Second)
	at := k.clock
	return Options{Dir: k.dir, Store: k.s, Blobs: k.blobs, Open: open, To: to, Program: "v1", Now: func() time.Time { return at }}
}

func (k *kept) back(to string) *Result {
	k.Helper()
	made, err := Create(ctx, k.options(to))
	k.ok(err)
	return made
}

func verify(from string) (*RestoreResult, error) {
	return Restore(ctx, RestoreOptions{From: from, Open: open})
}

// all lists the files below a folder, without locks.
func all(t *testing.T, dir string) (names []string) {
	t.Helper()
	filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && e.Name() != lockName {
			rel, _ := filepath.Rel(dir, name)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	return names
}

// What was backed up comes out as it was, from a folder, from a tar, from a stream.
func TestRoundTrip(t *testing.T) {
	k := newKept(t)
	state, err := k.s.StateHash(ctx)
	k.ok(err)
	stream := filepath.Join(t.TempDir(), "stream")
	file, err := os.Create(stream)
	k.ok(err)
	o := k.options("")
	o.Out = file
	_, err = Create(ctx, o)
	k.ok(err)
	k.ok(file.Close())
	for _, name := range []string{"folder", "all.tar", "all.tar.gz", stream} {
		to := name
		if name != stream {
			to = filepath.Join(t.TempDir(), name)
			k.back(to)
		}
		for _, again := range []bool{true, false} {
			o := RestoreOptions{From: to, Open: open, To: filepath.Join(t.TempDir(), "new"), Heads: map[string]string{}}
			chain, err := k.s.VerifyAudit(ctx, k.workspace.ID)
			k.ok(err)
			o.Heads["acme"] = chain.Head
			if again {
				o.To = ""
			}
			proof, err := Restore(ctx, o)
			if err != nil || proof.State != state || proof.Blobs() != 2 || len(proof.AuditHashFoundIn) != 1 {
				t.Fatalf("%s: %+v, %v", name, proof, err)
			}
			if again {
				continue
			}
			got, err := open(ctx, o.To)
			k.ok(err)
			if hash, err := got.StateHash(ctx); err != nil || hash != state {
				t.Errorf("%s: restored as %s, %v, want %s", name, hash, err, state)
			}
			k.ok(got.Close())
			for _, f := range []string{blobName(sha([]byte("first"))), blobName(sha([]byte("second")))} {
				if !slices.Contains(all(t, o.To), f) {
					t.Errorf("%s: %s is not there: %v", name, f, all(t, o.To))
				}
			}
			if info, err := os.Stat(filepath.Join(o.To, "figs.db")); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: the database has mode %v", name, info.Mode())
			}
			if _, err := Restore(ctx, o); !errors.As(err, new(*NotBackupFolderError)) {
				t.Errorf("%s: restoring over it: %v, want *NotOurs", name, err)
			}
		}
	}
}

// TestRestoreAgain restores to a folder that an interrupted restore left, but to none with anything else, and not beside
// another restore.
func TestRestoreAgain(t *testing.T) {
	k := newKept(t)
	from := filepath.Join(t.TempDir(), "all.tar")
	k.back(from)
	for _, test := range []struct {
		name  string
		files []string
		taken bool
	}{
		{"while files are read", []string{Restoring + "/figs.db", Restoring + "/blobs/ab/cd"}, true},
		{"before the database is in its place", []string{Restoring + "/figs.db", "blobs/ab/cd"}, true},
		{"before the end", []string{Restoring + "/manifest.json", "blobs/ab/cd", "figs.db"}, true},
		{"with something else", []string{Restoring + "/figs.db", "notes.txt"}, false},
		{"complete", []string{"blobs/ab/cd", "figs.db"}, false},
		{"attachments only", []string{"blobs/ab/cd"}, false},
	} {
		to := filepath.Join(t.TempDir(), "new")
		for _, name := range test.files {
			name = filepath.Join(to, filepath.FromSlash(name))
			k.ok(os.MkdirAll(filepath.Dir(name), 0o700))
			k.ok(os.WriteFile(name, []byte("old"), 0o600))
		}
		_, err := Restore(context.Background(), RestoreOptions{From: from, Open: open, To: to})
		if test.taken != (err == nil) || !test.taken && !errors.As(err, new(*NotBackupFolderError)) {
			t.Errorf("%s: %v", test.name, err)
		}
		got := all(t, to)
		if test.taken && slices.ContainsFunc(got, func(name string) bool { return strings.HasPrefix(name, Restoring) || name == "blobs/ab/cd" }) {
			t.Errorf("%s: %v", test.name, got)
		}
		if !test.taken && len(got) != len(test.files) {
			t.Errorf("%s: %v are left of %v", test.name, got, test.files)
		}
	}
	to := filepath.Join(t.TempDir(), "new")
	k.ok(os.MkdirAll(filepath.Join(to, Restoring), 0o700))
	held, err := lock.Folder(filepath.Join(to, Restoring))
	k.ok(err)
	defer held.Close()
	if _, err := Restore(context.Background(), RestoreOptions{From: from, Open: open, To: to}); !errors.Is(err, lock.ErrHeld) {
		t.Errorf("beside another restore: %v", err)
	}
}

// The next backup writes only what is new, and forgets what nobody keeps.
func TestIncremental(t *testing.T) {
	k := newKept(t)
	to := filepath.Join(t.TempDir(), "backup")
	first := k.back(to)
	k.attach("c.txt", "third")
	second := k.back(to)
	if first.New != 2 || second.New != 1 || second.Blobs() != 3 {
		t.Errorf("wrote %d and %d attachments of %d, want 2 and 1 of 3", first.New, second.New, second.Blobs())
	}
	// One that was damaged in the folder is written again, however long it is.
	k.ok(os.WriteFile(filepath.Join(to, blobName(sha([]byte("third")))), []byte("thirX"), 0o600))
	if third := k.back(to); third.New != 1 || third.Removed != 2 {
		t.Errorf("mended %d, removed %d, want 1 and the manifest and the database before", third.New, third.Removed)
	}
	if _, err := verify(to); err != nil {
		t.Fatal(err)
	}
	o := k.options(to)
	o.Keep = 1
	_, err := Create(ctx, o)
	k.ok(err)
	older, err := filepath.Glob(filepath.Join(to, "manifest-*.json"))
	k.ok(err)
	if len(older) != 2 {
		t.Fatalf("keeps %v, want two", older)
	}
	if _, err := verify(older[0]); err != nil {
		t.Errorf("an older one: %v", err)
	}
	if _, err := Create(ctx, k.options(k.dir)); !errors.As(err, new(*NotBackupFolderError)) {
		t.Errorf("into a folder of something else: %v, want *NotOurs", err)
	}
}

// full is a disk that takes so many bytes.
type full struct {
	w    io.Writer
	left *int
}

func (f full) Write(b []byte) (int, error) {
	if *f.left -= len(b); *f.left < 0 {
		return 0, syscall.ENOSPC
	}
	return f.w.Write(b)
}

// Where a disk fills up, or somebody stops it, there is no half backup, and the one before is whole.
func TestFull(t *testing.T) {
	k := newKept(t)
	for _, name := range []string{"folder", "all.tar", "all.tar.gz"} {
		to := filepath.Join(t.TempDir(), name)
		room := 0
		try := func(ctx context.Context) error {
			o, left := k.options(to), room
			o.disk = func(w io.Writer) io.Writer { return full{w, &left} }
			_, err := Create(ctx, o)
			return err
		}
		failed := 0
		for ; ; room += max(3*room, 3) {
			err := try(ctx)
			if err == nil {
				break
			}
			failed++
			if !errors.Is(err, syscall.ENOSPC) {
				t.Fatalf("%s with %d bytes: %v", name, room, err)
			}
			if _, err := verify(to); err == nil {
				t.Fatalf("%s with %d bytes is taken for a backup", name, room)
			}
			for _, left := range all(t, filepath.Dir(to)) {
				if !strings.Contains(left, "blobs/") || strings.Contains(left, "unfinished") {
					t.Fatalf("%s with %d bytes leaves %s", name, room, left)
				}
			}
		}
		if failed == 0 {
			t.Fatalf("%s never failed", name)
		}
		before, err := verify(to)
		k.ok(err)
		k.attach(name+".txt", "more of "+name)
		room = 3
		stopped, stop := context.WithCancel(ctx)
		stop()
		for _, c := range []context.Context{ctx, stopped} {
			if try(c) == nil {
				t.Fatalf("%s: a second one is made in three bytes, or when it is stopped", name)
			}
			after, err := verify(to)
			if err != nil || after.Digest != before.Digest {
				t.Errorf("%s: the backup before is %+v, %v", name, after, err)
			}
		}
	}
}

// What was lost is told from what was erased, and neither makes a backup worthless.
func TestLost(t *testing.T) {
	k := newKept(t)
	hash := k.attach("lost.txt", "lost")
	k.ok(os.Remove(filepath.Join(k.dir, blobName(hash))))
	k.ok(os.WriteFile(filepath.Join(k.dir, blobName(sha([]byte("first")))), []byte("worse"), 0o600))
	to := filepath.Join(t.TempDir(), "backup")
	made := k.back(to)
	slices.Sort(made.Missing)
	want := []string{hash, sha([]byte("first"))}
	slices.Sort(want)
	if !slices.Equal(made.Missing, want) || len(made.Erased) != 0 {
		t.Errorf("missing %v, erased %v, want %v missing", made.Missing, made.Erased, want)
	}
	proof, err := verify(to)
	if err != nil || proof.MissingAttachments != 2 {
		t.Errorf("%+v, %v", proof, err)
	}
}

func TestNoRoom(t *testing.T) {
	k := newKept(t)
	hash, err := k.s.Attach(ctx, store.Act{At: 1}, store.Attachment{Agent: agent, Name: "huge.txt", SHA256: strings.Repeat("a", 64), Size: 1 << 60}, "")
	_ = hash
	k.ok(err)
	to := filepath.Join(t.TempDir(), "backup")
	var none *NoRoomError
	if _, err := Create(ctx, k.options(to)); !errors.As(err, &none) || none.Need < 1<<60 {
		t.Errorf("%v, want *NoRoom", err)
	}
}

func TestManifestEveryByte(t *testing.T) {
	k := newKept(t)
	to := filepath.Join(t.TempDir(), "backup")
	k.back(to)
	text, err := os.ReadFile(filepath.Join(to, Name))
	k.ok(err)
	for i := range text {
		changed := bytes.Clone(text)
		changed[i] ^= 1
		if _, err := readManifest(Name, changed); err == nil {
			t.Fatalf("byte %d may be changed", i)
		}
		if _, err := readManifest(Name, text[:i]); err == nil {
			t.Fatalf("it may end at byte %d", i)
		}
	}
}
