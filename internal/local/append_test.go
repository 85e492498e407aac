package local

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/reply"
)

// A folder without a ledger gets one, with the rights that asks.jsonl has.
func TestReplyMakesLedger(t *testing.T) {
	d := made(t)
	os.Remove(filepath.Join(d.dir, "messages.jsonl"))
	os.Chmod(filepath.Join(d.dir, "asks.jsonl"), 0o640)
	if _, err := d.Reply(ctx, d.form("1", figs.ReplyInput{})); err == nil {
		t.Fatal("an empty answer was taken")
	}
	if _, err := os.Stat(filepath.Join(d.dir, "messages.jsonl")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a refused reply has made the ledger (%v)", err)
	}
	d.give("1", strip)
	info, err := os.Stat(filepath.Join(d.dir, "messages.jsonl"))
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the ledger: %v, %v", info, err)
	}
}

// What is no plain file of the folder is not written to.
func TestReplyThroughNothing(t *testing.T) {
	for name, c := range map[string]struct {
		put  func(ledger string) error
		want string
	}{
		"a folder":          {func(l string) error { return os.Mkdir(l, 0o755) }, "is a folder"},
		"a link outside":    {func(l string) error { return os.Symlink(filepath.Join(os.TempDir(), "nowhere"), l) }, "is a link"},
		"a link to a file":  {func(l string) error { return os.Symlink("asks.jsonl", l) }, "is a link"},
		"a link to nothing": {func(l string) error { return os.Symlink("gone.jsonl", l) }, "is a link"},
		"another's file":    {func(l string) error { return os.Link(filepath.Join(filepath.Dir(l), "asks.jsonl"), l) }, "hard-linked"},
		"a pipe":            {func(l string) error { return makePipe(l) }, "is a pipe"},
	} {
		d := made(t)
		ledger := filepath.Join(d.dir, "messages.jsonl")
		os.Remove(ledger)
		if err := c.put(ledger); err != nil {
			t.Log(name, err)
			continue
		}
		before := d.get("asks.jsonl")
		var refused *reply.RefusedError
		if _, err := d.Reply(ctx, d.form("1", strip)); !errors.As(err, &refused) || !strings.Contains(refused.Sentence, c.want) || d.get("asks.jsonl") != before {
			t.Errorf("%s: %v, want it to say that it %s", name, err, c.want)
		}
		if _, err := os.Stat(filepath.Join(d.dir, "gone.jsonl")); err == nil {
			t.Errorf("%s: its target was made", name)
		}
	}
}

// A folder that is deleted is gone; one that was moved is written where it is now.
func TestReplyFolderMoves(t *testing.T) {
	d := made(t)
	r := d.form("1", strip)
	root := filepath.Dir(d.dir)
	if err := os.Rename(root, root+"-moved"); err != nil {
		t.Skip("an open folder cannot be moved here: ", err)
	}
	defer os.RemoveAll(root + "-moved")
	if _, err := d.Reply(ctx, r); err != nil {
		t.Errorf("moved as a whole: %v", err)
	}
	if b, err := os.ReadFile(root + "-moved/.figs/messages.jsonl"); err != nil || !strings.Contains(string(b), r.ID) {
		t.Errorf("where it is now: %s, %v", b, err)
	}
	if err := os.Rename(root+"-moved/.figs", root+"-moved/figs"); err != nil {
		t.Fatal(err)
	}
	r.ID = uuid.NewString()
	var refused *reply.RefusedError
	if _, err := d.Reply(ctx, r); !errors.As(err, &refused) || !strings.Contains(refused.Sentence, "no longer there") {
		t.Errorf("its .figs moved away: %v", err)
	}
	os.RemoveAll(root + "-moved")
	if _, err := d.Reply(ctx, r); !errors.As(err, &refused) || !strings.Contains(refused.Sentence, "no longer there") {
		t.Errorf("deleted: %v", err)
	}
}

// A disk that is full, or fails, is said; the ledger is as it was, and takes the next reply.
func TestReplyFullDisk(t *testing.T) {
	for name, c := range map[string]struct {
		n    int // bytes that fit
		err  error
		want string
	}{
		"nothing fits":    {0, syscall.ENOSPC, "The disk is full."},
		"a part fits":     {40, syscall.ENOSPC, "The disk is full."},
		"one byte fits":   {1, syscall.EDQUOT, "The disk is full."},
		"the disk fails":  {0, syscall.EIO, "couldn't be written"},
		"it fails midway": {30, syscall.EIO, "couldn't be written"},
		"all but the end": {-1, syscall.ENOSPC, "The disk is full."},
	} {
		d := made(t)
		d.put("messages.jsonl", message("m1", "q", "")+"\n")
		d.write = func(f *os.File, b []byte) (int, error) {
			n := c.n
			if n < 0 {
				n = len(b) + c.n
			}
			f.Write(b[:n])
			return n, c.err
		}
		r := d.form("1", strip)
		_, err := d.Reply(ctx, r)
		var refused *reply.RefusedError
		if !errors.As(err, &refused) || !strings.Contains(refused.Sentence, c.want) || !strings.Contains(refused.Hint, "text is kept") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if got := d.get("messages.jsonl"); got != message("m1", "q", "")+"\n" {
			t.Errorf("%s: the ledger is not as it was: %q", name, got)
		}
		d.write = nil
		d.give("1", figs.ReplyInput{Chosen: "Keep"})
		ask := d.shown("1")
		if len(ask.Thread) != 2 || ask.Thread[0].Message.ID != "m1" || ask.Thread[1].Message.Chosen != "Keep" {
			t.Errorf("%s: then %d replies, want 2, the last of them the new one\n%s", name, len(ask.Thread), d.get("messages.jsonl"))
		}
	}
}

// The words for what a system may say.
func TestRefusal(t *testing.T) {
	for err, want := range map[error]string{
		syscall.EACCES: "permission to write", syscall.EROFS: "read-only", syscall.ENOSPC: "full", syscall.ENOENT: "no longer there", syscall.EIO: "couldn't be written",
	} {
		if got := refusal(&os.PathError{Op: "write", Path: "x", Err: err}); !strings.Contains(got.Sentence, want) || !errors.Is(got, err) || got.Hint == "" {
			t.Errorf("%v: %q, want %q", err, got.Sentence, want)
		}
	}
}

// A zip and a lone file take no reply, and say so before anybody types.
func TestReadOnly(t *testing.T) {
	d := made(t)
	if why := d.ReadOnly(); why != "" {
		t.Errorf("a folder: %q", why)
	}
	d.options.Root = nil
	var refused *reply.RefusedError
	if _, err := d.Reply(ctx, reply.Entry{Agent: "1", Ask: "1"}); !errors.As(err, &refused) || !strings.Contains(d.ReadOnly(), "zip") {
		t.Errorf("a zip: %v", err)
	}
	root, err := os.OpenRoot(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	alone, _ := folder.ListFile(root.FS(), "asks.jsonl")
	l, err := Open(ctx, root.FS(), []Agent{{Path: "asks.jsonl", Contents: alone}}, Options{Now: time.Now, Root: root})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Reply(ctx, reply.Entry{Agent: "1", Ask: "1"}); !errors.As(err, &refused) || !strings.Contains(l.ReadOnly(), "without its folder") {
		t.Errorf("a lone file: %v, %q", err, l.ReadOnly())
	}
}
