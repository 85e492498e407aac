package local_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/local"
)

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// bytesOf reads an attachment by its hash.
func bytesOf(t *testing.T, l *local.Folders, sha256 string) (*journal.Attachment, []byte) {
	t.Helper()
	a, err := l.Attachment(ctx, local.Workspace, sha256)
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return a, b
}

func TestAttachment(t *testing.T) {
	dir := copied(t)
	artifacts := filepath.Join(dir, ".figs", "artifacts")
	brief, err := os.ReadFile(filepath.Join(artifacts, "brief.md"))
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(artifacts, "twin.txt"), brief, 0o600)
	l := open(t, dir, 0, noon())
	if _, err := l.Attachment(ctx, local.Workspace, hash(brief)); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("before any page named it: %v, want ErrNotFound", err)
	}
	for _, name := range []string{"brief.md", "twin.txt"} {
		if got, err := l.Digest(ctx, "1", name); err != nil || got != hash(brief) {
			t.Fatalf("Digest(%s) = %s, %v; want %s", name, got, err, hash(brief))
		}
	}
	a, b := bytesOf(t, l, hash(brief))
	slices.Sort(a.Names)
	if !bytes.Equal(b, brief) || a.Size != int64(len(brief)) || !slices.Equal(a.Names, []string{"brief.md", "twin.txt"}) {
		t.Errorf("attachment %v of %d bytes, want both names and the file's bytes", a.Names, a.Size)
	}
	if _, err := l.Attachment(ctx, "other", hash(brief)); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("in another workspace: %v, want ErrNotFound", err)
	}
}

// A file that changed has a new hash; the old one leads nowhere, and says why.
func TestAttachmentChanges(t *testing.T) {
	dir := copied(t)
	file := filepath.Join(dir, ".figs", "artifacts", "brief.md")
	l := open(t, dir, 0, noon())
	old, err := l.Digest(ctx, "1", "brief.md")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	var missing *journal.Missing
	if _, err := l.Attachment(ctx, local.Workspace, old); !errors.As(err, &missing) || !strings.Contains(missing.Sentence, "changed") {
		t.Errorf("the old hash: %v, want a sentence that the file changed", err)
	}
	fresh, err := l.Digest(ctx, "1", "brief.md")
	if err != nil || fresh != hash([]byte("other")) {
		t.Fatalf("the new hash = %s, %v", fresh, err)
	}
	if _, b := bytesOf(t, l, fresh); string(b) != "other" {
		t.Errorf("the new bytes = %q", b)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Attachment(ctx, local.Workspace, fresh); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("a removed file: %v, want ErrNotFound", err)
	}
	if _, err := l.Digest(ctx, "1", "brief.md"); !errors.As(err, &missing) || !strings.Contains(missing.Sentence, "no longer exists") {
		t.Errorf("Digest of a removed file: %v, want a sentence", err)
	}
}

// Only plain files right in artifacts/ are attachments.
func TestNothingElseIsOpened(t *testing.T) {
	dir := copied(t)
	artifacts := filepath.Join(dir, ".figs", "artifacts")
	os.WriteFile(filepath.Join(dir, "secret.txt"), []byte("secret"), 0o600)
	os.Mkdir(filepath.Join(artifacts, "folder.txt"), 0o700)
	for name, to := range map[string]string{"near.txt": "brief.md", "up.txt": "../../secret.txt", "out.txt": os.Args[0], "gone.txt": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(artifacts, name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	l := open(t, dir, 0, noon())
	for _, name := range []string{"near.txt", "up.txt", "out.txt", "gone.txt", "folder.txt", "../agent.json", "../../secret.txt", "..", ".", "", "/etc/passwd", `..\agent.json`, "nowhere.txt", "brief.md/", "brief.md\x00"} {
		if got, err := l.Digest(ctx, "1", name); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("Digest(%q) = %s, %v; want ErrNotFound", name, got, err)
		}
	}
	for _, agent := range []string{"0", "2", "-1", "", "x", "1 "} {
		if _, err := l.Digest(ctx, agent, "brief.md"); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("agent %q: %v, want ErrNotFound", agent, err)
		}
	}
}

// A link in the place of the whole folder leads nowhere either, also one that came later.
func TestArtifactsIsNoLink(t *testing.T) {
	dir := copied(t)
	artifacts := filepath.Join(dir, ".figs", "artifacts")
	l := open(t, dir, 0, noon())
	if err := os.Rename(artifacts, filepath.Join(dir, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../elsewhere", artifacts); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if _, err := l.Digest(ctx, "1", "brief.md"); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("Digest() = %v, want ErrNotFound", err)
	}
}

func TestAttachmentInZip(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range map[string]string{".figs/runs.jsonl": "", ".figs/artifacts/a.txt": "in a zip"} {
		entry, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(entry, text)
	}
	w.Close()
	fsys, _, err := folder.OpenZip(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	c := noon()
	l, err := local.Open(ctx, fsys, []local.Agent{{Path: ".figs", Contents: folder.List(fsys, ".figs")}}, local.Options{Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	sha, err := l.Digest(ctx, "1", "a.txt")
	if err != nil {
		t.Fatal(err)
	}
	if _, got := bytesOf(t, l, sha); string(got) != "in a zip" {
		t.Errorf("the bytes = %q", got)
	}
}
