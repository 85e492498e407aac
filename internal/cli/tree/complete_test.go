package tree

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/cli/cmd"
)

// TestCompleteWithoutFolder: where there is nothing to complete, nothing is said.
func TestCompleteWithoutFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	a := &cmd.App{Env: cmd.Env{Now: time.Now, Getenv: os.Getenv, ConfigDir: func() (string, error) { return t.TempDir(), nil }}, Ctx: t.Context()}
	if ids := LocalIDs(a, "asks"); len(ids) != 0 {
		t.Errorf("LocalIDs = %q in an empty folder", ids)
	}
	if names := RemoteNames(a); len(names) != 0 {
		t.Errorf("RemoteNames = %q without settings", names)
	}
	if paths := LocalPaths(a, "/agents/none/"); len(paths) != 0 {
		t.Errorf("LocalPaths = %q in an empty folder", paths)
	}
}

func TestRemoteNames(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "figs-web", "remotes", "acme"+RemoteSuffix)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(`{"url":"https://figs.example"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	a := &cmd.App{Env: cmd.Env{ConfigDir: func() (string, error) { return dir, nil }}, Ctx: t.Context()}
	if names := RemoteNames(a); !slices.Equal(names, []string{"acme:"}) {
		t.Errorf("RemoteNames = %q, want acme:", names)
	}
}
