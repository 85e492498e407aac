package blob_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/blob/blobtest"
)

func open(t *testing.T, dir string) *blob.Folder {
	t.Helper()
	f, err := blob.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// files lists what a folder holds, temporary files too.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			name, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestFolder(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) blob.Store { return open(t, t.TempDir()) })
}

// One file for the same bytes, which another program on the same folder finds.
func TestFolderKeepsEachOnce(t *testing.T) {
	dir := t.TempDir()
	content := bytes.Repeat([]byte("statement "), 5000)
	for range 2 {
		blobtest.Put(t, open(t, dir), content)
	}
	hash := blobtest.Hash(content)
	if got := files(t, dir); len(got) != 1 || got[0] != hash[:2]+"/"+hash {
		t.Errorf("files %v, want only %s", got, hash[:2]+"/"+hash)
	}
	blobtest.Holds(t, open(t, dir), content)
}

func TestFolderKeepsNoFileOfWhatFails(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	for _, r := range []io.Reader{strings.NewReader("12345"), iotest.ErrReader(io.ErrUnexpectedEOF)} {
		if _, _, err := f.Put(context.Background(), r, 4); err == nil {
			t.Error("Put = nil, want an error")
		}
	}
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A file that was cut short by a crash of the disk is written again.
func TestFolderMends(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	hash := blobtest.Put(t, f, []byte("whole"))
	if err := os.Truncate(filepath.Join(dir, hash[:2], hash), 2); err != nil {
		t.Fatal(err)
	}
	blobtest.Put(t, f, []byte("whole"))
	blobtest.Holds(t, f, []byte("whole"))
}

func TestOpenFolderSweeps(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	old, young := filepath.Join(dir, "unfinished", "1-1"), filepath.Join(dir, "unfinished", "1-2")
	for _, name := range []string{old, young} {
		if err := os.WriteFile(name, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(old, before, before); err != nil {
		t.Fatal(err)
	}
	open(t, dir)
	if left := files(t, dir); len(left) != 1 || left[0] != "unfinished/1-2" {
		t.Errorf("left %v, want only what another program may be writing", left)
	}
}
