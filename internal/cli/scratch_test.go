//go:build unix

package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/lock"
)

func newScratch(t *testing.T, dir string) *cmd.ScratchFolder {
	t.Helper()
	s, err := cmd.Scratch(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Remove)
	return s
}

func there(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// files makes files, and the folders that they lie in.
func files(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// The folder of a server that was killed is removed by the next one, that of one that runs is not.
func TestScratch(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "[tmp]")
	first, left := newScratch(t, dir), filepath.Join(dir, cmd.ScratchName+"left")
	files(t, filepath.Join(left, "body", "x"))
	second := newScratch(t, dir)
	for name, want := range map[string]bool{first.Name: true, second.Name: true, left: false} {
		if there(name) != want {
			t.Errorf("%s is there: %v, want %v", name, !want, want)
		}
	}
	if info, err := os.Stat(first.Name); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("others can look into %v, %v", info, err)
	}
	first.Remove()
	second.Remove()
	if all, _ := os.ReadDir(dir); len(all) != 0 {
		t.Errorf("at the end there is %s", fmt.Sprint(all))
	}
}

// Whatever a cleaner removes, a start leaves the folder of a living server, and that makes it again.
func TestScratchIsTidiedAway(t *testing.T) {
	dir := t.TempDir()
	first := newScratch(t, dir)
	inside, err := os.ReadDir(first.Name)
	if err != nil || len(inside) > 0 {
		t.Fatalf("a cleaner finds %v, %v", inside, err)
	}
	newScratch(t, dir)
	if !there(first.Name) {
		t.Fatal("a start removed the folder of a living server")
	}
	for range 2 {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := first.Writable(t.Context()); err != nil {
			t.Fatalf("a folder that is gone is not made again: %v", err)
		}
	}
	if info, err := os.Stat(first.Name); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("others can look into %v, %v", info, err)
	}
	newScratch(t, dir)
	if !there(first.Name) {
		t.Error("what was made again is not locked")
	}
	os.Remove(first.Name)
	victim := t.TempDir()
	if err := os.Symlink(victim, first.Name); err != nil {
		t.Fatal(err)
	}
	if err := first.Writable(t.Context()); err == nil {
		t.Error("in place of the folder a link will do")
	}
	if err := os.Remove(first.Name); err != nil {
		t.Fatal(err)
	}
	if err := first.Writable(t.Context()); err != nil {
		t.Errorf("without the link: %v", err)
	}
}

// In a folder that everybody may write to, nothing that others laid there is followed, filled or removed.
func TestScratchAmongOthers(t *testing.T) {
	dir, victim := t.TempDir(), t.TempDir()
	files(t, filepath.Join(victim, "kept"), filepath.Join(dir, cmd.ScratchName+"file"))
	open, planted := filepath.Join(dir, cmd.ScratchName+"open"), filepath.Join(dir, cmd.ScratchName+"planted")
	files(t, filepath.Join(open, "kept"), filepath.Join(planted, "body"))
	link := filepath.Join(dir, cmd.ScratchName+"evil")
	for _, err := range []error{os.Chmod(open, 0o777), os.Symlink(victim, link), os.Symlink(filepath.Join(victim, "planted"), filepath.Join(planted, "in-use.lock"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	newScratch(t, dir)
	for name, want := range map[string]bool{link: true, open: true, filepath.Join(open, "kept"): true, filepath.Join(dir, cmd.ScratchName+"file"): true, planted: false} {
		if there(name) != want {
			t.Errorf("%s is there: %v, want %v", name, !want, want)
		}
	}
	if all, _ := os.ReadDir(victim); len(all) != 1 {
		t.Errorf("elsewhere there is %v", all)
	}
}

// A server that has a folder to itself removes from it what was left, but not what living servers read in.
func TestEmpty(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tmp")
	living := newScratch(t, dir)
	left := filepath.Join(dir, cmd.ScratchName+"left")
	files(t, filepath.Join(living.Name, "body"), filepath.Join(left, "body"), filepath.Join(dir, "figs-body-1"), filepath.Join(dir, "folder", "x"))
	if err := cmd.Empty(dir); err != nil {
		t.Fatal(err)
	}
	if all, _ := os.ReadDir(dir); len(all) != 1 || !there(filepath.Join(living.Name, "body")) {
		t.Errorf("there is %v", all)
	}
	elsewhere, link := t.TempDir(), filepath.Join(t.TempDir(), "tmp")
	files(t, filepath.Join(elsewhere, "kept"))
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Empty(link); err != nil || !there(filepath.Join(elsewhere, "kept")) {
		t.Errorf("what a link leads to is emptied: %v", err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode() != fs.ModeDir|0o700 {
		t.Errorf("in its place there is %v, %v", info, err)
	}
}

// Beside a server on a folder another whose database is elsewhere takes nothing of what that one is reading,
// nor does the one when it starts again.
func TestServersShareATmp(t *testing.T) {
	dir, other := filepath.Join(t.TempDir(), "data"), t.TempDir()
	if err := os.Chmod(other, 0o700); err != nil {
		t.Fatal(err)
	}
	owner := hostOn(t, dir)
	body := filepath.Join(dir, "tmp", "figs-body-1")
	files(t, body)
	guest := hostOn(t, dir, "--database", "sqlite://"+filepath.Join(other, "figs.db"))
	if !there(body) {
		t.Error("a server with another database removes what the folder's own is reading")
	}
	owner.stop()
	hostOn(t, dir)
	if there(body) {
		t.Error("what was left in tmp stays")
	}
	left, _ := filepath.Glob(filepath.Join(dir, "tmp", cmd.ScratchName+"*"))
	if len(left) != 1 {
		t.Fatalf("the other server runs, and has the folders %v", left)
	}
	if held, err := lock.Folder(left[0]); err == nil {
		held.Close()
		t.Error("its folder is not locked")
	}
	if status, _, text := get(t, visitor(t), guest.address+"/readyz"); status != 200 {
		t.Errorf("/readyz = %d %s", status, text)
	}
}
