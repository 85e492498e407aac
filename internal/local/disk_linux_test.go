package local

import (
	"errors"
	"github.com/figs-web/figs-web/internal/reply"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A disk that is really full is noticed before anything is written.
func TestReplyFullTmpfs(t *testing.T) {
	d := made(t)
	small := t.TempDir()
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("no disk can be made here: ", err)
	}
	defer syscall.Unmount(small, syscall.MNT_DETACH)
	if err := os.CopyFS(small, os.DirFS(filepath.Dir(d.dir))); err != nil {
		t.Fatal(err)
	}
	d.dir = filepath.Join(small, ".figs")
	d.Folders = opened(t, small, d.Folders.options.Now)
	d.give("1", strip)
	before := d.get("messages.jsonl")
	filler, err := os.Create(filepath.Join(small, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = filler.Write(make([]byte, 1024))
	}
	filler.Close()
	r := d.form("2", revise)
	r.Say = saying(withText(revise, strings.Repeat("long ", 2000)))
	var refused *reply.RefusedError
	if _, err := d.Reply(ctx, r); !errors.As(err, &refused) || refused.Sentence != "The disk is full." || d.get("messages.jsonl") != before {
		t.Errorf("Reply = %v, %q; want that the disk is full, and nothing written", err, d.get("messages.jsonl")[len(before):])
	}
	os.Remove(filepath.Join(small, "filler"))
	if given, err := d.Reply(ctx, r); err != nil || !given.Stands {
		t.Errorf("with room again: %+v, %v", given, err)
	}
}

// TestReplyDenied runs as a user who may read only.
func TestReplyDenied(t *testing.T) {
	if os.Getuid() == 0 && os.Getenv("FIGS_LOCAL_NOBODY") == "" {
		d := made(t)
		dir := filepath.Dir(d.dir)
		program := filepath.Join(dir, "test")
		b, err := os.ReadFile(os.Args[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(program, b, 0o755); err != nil {
			t.Fatal(err)
		}
		for at, own := dir, filepath.Dir(t.TempDir()); len(at) >= len(own); at = filepath.Dir(at) { // the test's folders, and no other
			os.Chmod(at, 0o755)
		}
		cmd := exec.Command(program, "-test.run", "^TestReplyDenied$")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "FIGS_LOCAL_NOBODY="+dir)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("as nobody: %v\n%s", err, out)
		}
		return
	}
	d := made(t)
	if dir := os.Getenv("FIGS_LOCAL_NOBODY"); dir != "" {
		d.dir, d.Folders = filepath.Join(dir, ".figs"), opened(t, dir, d.Folders.options.Now)
	} else {
		os.Chmod(filepath.Join(d.dir, "messages.jsonl"), 0o444)
	}
	var refused *reply.RefusedError
	if _, err := d.Reply(ctx, d.form("1", strip)); !errors.As(err, &refused) || !strings.Contains(refused.Sentence, "permission to write") {
		t.Errorf("Reply = %v, want that this user may not write", err)
	}
}
