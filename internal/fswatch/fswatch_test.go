package fswatch

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestWatcher(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	dir := filepath.Join(top, "a")
	w := New()
	defer w.Close()
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	told := func(what string, want bool) {
		t.Helper()
		select {
		case <-w.Changed:
			w.Settle(nil, 50*time.Millisecond, time.Second)
			if !want {
				t.Errorf("told of %s", what)
			}
		case <-time.After(map[bool]time.Duration{true: 5 * time.Second, false: 200 * time.Millisecond}[want]):
			if want {
				t.Errorf("not told of %s", what)
			}
		}
	}
	ok(os.Mkdir(dir, 0o700))
	if !w.Watch(map[string]string{top: "a", dir: ""}) {
		t.Skip("the system tells of no changes")
	}
	ok(os.WriteFile(filepath.Join(dir, "x"), []byte("1"), 0o600))
	told("a file in the folder", true)
	ok(os.WriteFile(filepath.Join(top, "other"), nil, 0o600))
	told("a file beside it", false)
	ok(os.RemoveAll(dir))
	told("the folder that is gone", true)
	if !w.Watch(map[string]string{top: "a", dir: ""}) {
		t.Error("a folder that is gone can't be told of; want it told by the one above")
	}
	ok(os.Mkdir(dir, 0o700))
	told("the folder that is back", true)
	w.Watch(map[string]string{top: "a", dir: ""})
	ok(os.WriteFile(filepath.Join(dir, "x"), []byte("1"), 0o600))
	told("a file in the new folder", true)
	if err := os.Symlink(dir, filepath.Join(top, "link")); err == nil && w.Watch(map[string]string{filepath.Join(top, "link"): ""}) {
		t.Error("a link counts as watched")
	}
	w.Watch(nil)
	ok(os.WriteFile(filepath.Join(dir, "y"), nil, 0o600))
	told("a folder that is no longer watched", false)
}
