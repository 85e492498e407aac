package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/lock"
)

func open(t *testing.T) (*os.Root, string) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root, dir
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func text(dir, name string) string {
	b, _ := os.ReadFile(filepath.Join(dir, name))
	return string(b)
}

func TestWrite(t *testing.T) {
	root, dir := open(t)
	err := Write(root, "a", Options{}, func(f *os.File) error {
		if _, err := os.Lstat(filepath.Join(dir, "a")); !errors.Is(err, fs.ErrNotExist) {
			t.Error("the name is there before the file is whole")
		}
		_, err := f.WriteString("all of it")
		return err
	})
	if err != nil || text(dir, "a") != "all of it" || names(t, dir) != "a" {
		t.Fatalf("%v, the folder has %s", err, names(t, dir))
	}
	if err := Write(root, "a", Options{}, Bytes([]byte("other"))); !errors.Is(err, fs.ErrExist) || text(dir, "a") != "all of it" {
		t.Errorf("a name that is taken: %v, %q", err, text(dir, "a"))
	}
	full := func(*os.File) error { return syscall.ENOSPC }
	stop := func() error { return errors.New("changed") }
	for _, c := range []struct {
		o    Options
		fill func(*os.File) error
	}{{Options{}, full}, {Options{Replace: true}, full}, {Options{Check: stop}, Bytes(nil)}, {Options{Replace: true, Check: stop}, Bytes(nil)}} {
		for _, name := range []string{"a", "b"} {
			if err := Write(root, name, c.o, c.fill); err == nil || text(dir, "a") != "all of it" || names(t, dir) != "a" {
				t.Errorf("%+v of %s: %v, the folder has %s", c.o, name, err, names(t, dir))
			}
		}
	}
	if err := Write(root, "a", Options{Replace: true}, Bytes([]byte("new"))); err != nil || text(dir, "a") != "new" || names(t, dir) != "a" {
		t.Errorf("replaced: %v, the folder has %s", err, names(t, dir))
	}
	if err := Write(root, ".", Options{Replace: true}, Bytes(nil)); err == nil {
		t.Error("a folder was replaced")
	}
}

// Without hard links a name that is taken is refused too.
func TestRenameWithoutLinks(t *testing.T) {
	root, dir := open(t)
	none := func(string, string) error { return errors.ErrUnsupported }
	for _, name := range []string{"temp", "taken"} {
		os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600)
	}
	if err := rename(root, none, "temp", "taken", false); !errors.Is(err, fs.ErrExist) || text(dir, "taken") != "taken" {
		t.Errorf("a name that is taken: %v", err)
	}
	if err := rename(root, none, "temp", "free", false); err != nil || text(dir, "free") != "temp" || names(t, dir) != "free taken" {
		t.Errorf("a free name: %v, the folder has %s", err, names(t, dir))
	}
}

func TestRights(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("rights are no part of a mode there")
	}
	root, dir := open(t)
	for name, mode := range map[string]fs.FileMode{"like": 0o640, "kept": 0o604} {
		os.WriteFile(filepath.Join(dir, name), nil, 0o600)
		os.Chmod(filepath.Join(dir, name), mode)
	}
	closed := filepath.Join(dir, "closed")
	os.Mkdir(closed, 0o700)
	for _, c := range []struct {
		name string
		o    Options
		want fs.FileMode
	}{
		{"as-neighbour", Options{Like: "like"}, 0o640},
		{"kept", Options{Replace: true}, 0o604},
		{"secret", Options{Mode: 0o600}, 0o600},
		{"closed/as-folder", Options{}, 0o600},
	} {
		if err := Write(root, c.name, c.o, Bytes(nil)); err != nil {
			t.Fatal(err)
		}
		if info, err := root.Stat(c.name); err != nil || info.Mode().Perm() != c.want {
			t.Errorf("%s has %v, want %v", c.name, info.Mode(), c.want)
		}
	}
	usual := filepath.Join(dir, "usual")
	os.WriteFile(usual, nil, 0o666)
	if err := WritePath(filepath.Join(dir, "new"), Options{}, Bytes(nil)); err != nil {
		t.Fatal(err)
	}
	want, _ := os.Stat(usual)
	if got, _ := root.Stat("new"); got.Mode() != want.Mode() {
		t.Errorf("a new file has %v, others %v", got.Mode(), want.Mode())
	}
}

// What was left behind goes, what is being written and what only looks similar stays.
func TestSweep(t *testing.T) {
	root, dir := open(t)
	left, held, named := tempName(""), tempName(""), ".figs-web-notes.part"
	for _, name := range []string{left, held, named} {
		os.WriteFile(filepath.Join(dir, name), nil, 0o600)
	}
	folder := tempName("")
	os.MkdirAll(filepath.Join(dir, folder, "in"), 0o700)
	f, err := os.OpenFile(filepath.Join(dir, held), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := lock.Try(f); err != nil {
		t.Skip(err)
	}
	if runtime.GOOS == "windows" {
		long := time.Now().Add(-2 * oldEnough)
		os.Chtimes(filepath.Join(dir, left), long, long)
		os.Chtimes(filepath.Join(dir, folder), long, long)
	}
	Sweep(root, ".")
	for _, name := range []string{held, named} {
		if _, err := root.Lstat(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{left, folder} {
		if _, err := root.Lstat(name); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
}

func TestFolder(t *testing.T) {
	_, dir := open(t)
	to := filepath.Join(dir, "to")
	put := func(in string) error { return os.WriteFile(filepath.Join(in, "x"), []byte("x"), 0o600) }
	if err := Folder(to, func(in string) error { return errors.Join(put(in), syscall.ENOSPC) }); !errors.Is(err, syscall.ENOSPC) || names(t, dir) != "" {
		t.Errorf("a full disk: %v, the folder has %s", err, names(t, dir))
	}
	if err := Folder(to, put); err != nil || text(to, "x") != "x" || names(t, dir) != "to" {
		t.Errorf("%v, the folder has %s", err, names(t, dir))
	}
	if err := Folder(to, put); err == nil || names(t, dir) != "to" {
		t.Errorf("onto a folder that is not empty: %v, the folder has %s", err, names(t, dir))
	}
}

// A write that fails leaves the ledger as it was, unless another program has written behind it.
func TestAppend(t *testing.T) {
	for _, c := range []struct {
		fits   int
		behind string
		want   string
	}{
		{100, "", "one\ntwo\nthree\n"}, {0, "", "one\n"}, {1, "", "one\n"}, {9, "", "one\n"},
		{3, "other\n", "one\ntwoother\n"},
	} {
		_, dir := open(t)
		name := filepath.Join(dir, "ledger")
		os.WriteFile(name, []byte("one\n"), 0o600)
		f, err := os.OpenFile(name, os.O_RDWR|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		a := Appender{Write: func(f *os.File, b []byte) (int, error) {
			if c.fits >= len(b) {
				return f.Write(b)
			}
			f.Write(b[:c.fits])
			f.WriteString(c.behind)
			return c.fits, syscall.ENOSPC
		}}
		n, err := a.Append(f, []byte("two\nthree\n"))
		f.Close()
		if got := text(dir, "ledger"); got != c.want || (err == nil) != (n == 10) || errors.Is(err, ErrPartialLine) != (c.behind != "") {
			t.Errorf("%d bytes fit: %d, %v, %q, want %q", c.fits, n, err, got, c.want)
		}
	}
}
