package folder_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/figs-web/figs-web/figs/folder"
	"github.com/google/go-cmp/cmp"
)

func files(names ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for _, n := range names {
		m[n] = &fstest.MapFile{}
	}
	return m
}

func dirs(found []folder.FoundFolder) []string {
	var names []string
	for _, f := range found {
		names = append(names, f.Dir)
	}
	return names
}

func TestFind(t *testing.T) {
	for _, test := range []struct {
		name string
		in   fstest.MapFS
		want []string
	}{
		{"root_is_the_folder", files("runs.jsonl"), []string{"."}},
		{"root_is_a_folder_without_ledgers", files("agent.json", "config.json"), []string{"."}},
		{"agent_json_alone_is_something_else", files("agent.json", "README.md"), nil},
		{"parent", files(".figs/asks.jsonl", "main.go"), []string{".figs"}},
		{"parent_with_a_stray_ledger", files(".figs/asks.jsonl", "runs.jsonl"), []string{".figs"}},
		{"empty_folder_counts", fstest.MapFS{".figs": {Mode: fs.ModeDir}}, []string{".figs"}},
		{"several_nearest_first", files("a/deep/.figs/runs.jsonl", "z/.figs/runs.jsonl", ".figs/runs.jsonl"), []string{".figs", "z/.figs", "a/deep/.figs"}},
		{"not_inside_another", files(".figs/artifacts/.figs/runs.jsonl"), []string{".figs"}},
		{"skips_by_name", files(".git/.figs/runs.jsonl", "web/node_modules/x/.figs/runs.jsonl", "__MACOSX/.figs/._runs.jsonl"), nil},
		{"a_file_named_figs", files(".figs"), nil},
		{"nothing", fstest.MapFS{}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			found, _ := folder.Find(test.in)
			if got := dirs(found); !cmp.Equal(got, test.want) {
				t.Errorf("Find() = %q, want %q", got, test.want)
			}
		})
	}
}

func TestFindSaysWhatItSkipped(t *testing.T) {
	_, skipped := folder.Find(files(".git/config", "a/node_modules/x", "b/node_modules/x", "c/node_modules/x", "d/x"))
	want := []string{`Not searched, by name: ".git", "a/node_modules", "b/node_modules" and 1 more.`}
	if got := skipped.Sentences(); !cmp.Equal(got, want) {
		t.Errorf("Sentences() = %q, want %q", got, want)
	}
}

func TestFindIsBounded(t *testing.T) {
	m := files("z/.figs/runs.jsonl")
	for i := range folder.MaxEntries {
		m[fmt.Sprintf("a/%d", i)] = &fstest.MapFile{}
	}
	found, skipped := folder.Find(m)
	if !skipped.Truncated || len(found) > 0 {
		t.Errorf("Find() = %q, truncated %v; want nothing found past the bound, and said", dirs(found), skipped.Truncated)
	}
	if said := strings.Join(skipped.Sentences(), "\n"); !strings.Contains(said, "200000 entries") {
		t.Errorf("Sentences() = %q, want the bound in it", said)
	}
}

// rootFS opens dir the way the command line does: links that lead out of it fail.
func rootFS(t *testing.T, dir string) fs.FS {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root.FS()
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, name); err != nil {
		t.Skip("no symbolic links here:", err)
	}
}

func TestFindLinks(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "runs.jsonl"), "")
	write(t, filepath.Join(dir, "store", "runs.jsonl"), "")
	write(t, filepath.Join(dir, "real", ".figs", "runs.jsonl"), "")
	link(t, "../store", filepath.Join(dir, "inside", ".figs"))
	link(t, "../real/.figs", filepath.Join(dir, "twin", ".figs"))
	link(t, outside, filepath.Join(dir, "away", ".figs"))
	link(t, "..", filepath.Join(dir, "real", "loop"))

	found, skipped := folder.Find(rootFS(t, dir))
	if got, want := dirs(found), []string{"real/.figs", "inside/.figs"}; !cmp.Equal(got, want) {
		t.Errorf("Find() = %q, want %q", got, want)
	}
	if got, want := skipped.Links, []string{"real/loop", "away/.figs"}; !cmp.Equal(got, want) {
		t.Errorf("Links = %q, want %q", got, want)
	}
}
