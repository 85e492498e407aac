package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
)

var ctx = context.Background()

func open(t *testing.T, dir string) *Folder {
	t.Helper()
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func hashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
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
	dir := t.TempDir()
	f := open(t, dir)
	content := bytes.Repeat([]byte("statement "), 5000)
	for range 2 {
		hash, size, err := f.Put(ctx, bytes.NewReader(content), int64(len(content)))
		if err != nil || hash != hashOf(content) || size != int64(len(content)) {
			t.Fatalf("Put = %s, %d, %v, want %s, %d", hash, size, err, hashOf(content), len(content))
		}
	}
	if got, want := files(t, dir), hashOf(content)[:2]+"/"+hashOf(content); len(got) != 1 || got[0] != want {
		t.Errorf("files %v, want only %s", got, want)
	}
	r, size, err := open(t, dir).Open(ctx, hashOf(content))
	if err != nil || size != int64(len(content)) {
		t.Fatalf("Open = %d bytes, %v", size, err)
	}
	defer r.Close()
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, content) {
		t.Errorf("%d other bytes, %v", len(got), err)
	}
	for _, hash := range []string{hashOf(nil), "", "..", "../../etc/passwd", strings.ToUpper(hashOf(content)), hashOf(content)[:63] + "/"} {
		if _, _, err := f.Open(ctx, hash); !errors.Is(err, ErrNotFound) {
			t.Errorf("Open(%q) = %v, want ErrNotFound", hash, err)
		}
	}
}

func TestPutKeepsNothingOfWhatFails(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		r    io.Reader
		want error
	}{
		"too large":  {ctx, strings.NewReader("12345"), ErrTooLarge},
		"torn":       {ctx, io.MultiReader(strings.NewReader("12"), iotest.ErrReader(io.ErrUnexpectedEOF)), io.ErrUnexpectedEOF},
		"given up":   {cancelled, strings.NewReader("12"), context.Canceled},
		"never ends": {ctx, endless{}, ErrTooLarge},
	} {
		if _, _, err := f.Put(c.ctx, c.r, 4); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

// A file that was cut short by a crash of the disk is written again.
func TestPutMends(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	hash, _, err := f.Put(ctx, strings.NewReader("whole"), 10)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, path(hash)), 2); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Put(ctx, strings.NewReader("whole"), 10); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, path(hash))); string(b) != "whole" || err != nil {
		t.Errorf("holds %q, %v", b, err)
	}
}

func TestOpenFolderSweeps(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	old, young := filepath.Join(dir, unfinished, "1-1"), filepath.Join(dir, unfinished, "1-2")
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
	if left := files(t, dir); len(left) != 1 || left[0] != unfinished+"/1-2" {
		t.Errorf("left %v, want only what another program may be writing", left)
	}
}

func TestPutAtOnce(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	var wait sync.WaitGroup
	for i := range 20 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			if _, _, err := f.Put(ctx, strings.NewReader(strings.Repeat("x", 1000+i%3)), 2000); err != nil {
				t.Error(err)
			}
		}()
	}
	wait.Wait()
	if got := files(t, dir); len(got) != 3 {
		t.Errorf("%d files, want 3: %v", len(got), got)
	}
}

// What is removed is gone, and only that; names that are no hashes lead nowhere.
func TestRemove(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	for _, text := range []string{"one", "other"} {
		if _, _, err := f.Put(ctx, strings.NewReader(text), 10); err != nil {
			t.Fatal(err)
		}
	}
	for _, hash := range []string{hashOf([]byte("one")), hashOf([]byte("one")), hashOf(nil), "", "../serve.lock", strings.Repeat("z", 64)} {
		if err := f.Remove(ctx, hash); err != nil {
			t.Errorf("Remove(%q) = %v", hash, err)
		}
	}
	if got, want := files(t, dir), hashOf([]byte("other")); len(got) != 1 || !strings.HasSuffix(got[0], want) {
		t.Errorf("files %v, want only %s", got, want)
	}
}
