package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestCreateWhole holds that a file comes with the rights of any new file, all at once, and in nobody's place, with links
// and without.
func TestCreateWhole(t *testing.T) {
	dir := t.TempDir()
	usual := filepath.Join(dir, "usual")
	f, err := os.Create(usual)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	want, _ := os.Stat(usual)
	to := filepath.Join(dir, "copy.zip")
	fill := func(f *os.File) error {
		if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
			t.Error("the name is there before the file is whole")
		}
		_, err := f.WriteString("all of it")
		return err
	}
	if err := createWhole(to, fill); err != nil {
		t.Fatal(err)
	}
	if got, err := os.Stat(to); err != nil || got.Mode() != want.Mode() {
		t.Errorf("its rights are %v, those of a new file %v, %v", got.Mode(), want.Mode(), err)
	}
	noLinks := func(string, string) error { return errors.ErrUnsupported }
	for name, link := range map[string]func(string, string) error{"links": os.Link, "no links": noLinks} {
		part := filepath.Join(dir, "part")
		if err := os.WriteFile(part, []byte("other"), 0o600); err != nil {
			t.Fatal(err)
		}
		var said *failure
		if err := giveName(link, part, to); !errors.As(err, &said) || said.kind != taken {
			t.Errorf("%s: a name that is taken gives %v", name, err)
		}
		if got, _ := os.ReadFile(to); string(got) != "all of it" {
			t.Errorf("%s: the file that was there holds %q", name, got)
		}
		free := filepath.Join(dir, name)
		if err := giveName(link, part, free); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got, _ := os.ReadFile(free); string(got) != "other" {
			t.Errorf("%s: it holds %q", name, got)
		}
	}
	broken := errors.New("disk full")
	if err := createWhole(filepath.Join(dir, "none"), func(*os.File) error { return broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".unfinished-*"))
	if _, err := os.Stat(filepath.Join(dir, "none")); err == nil || len(left) > 0 {
		t.Errorf("what failed leaves %v, %v", left, err)
	}
}
