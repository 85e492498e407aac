package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/cli/tree"
)

func fixedNow() time.Time { return time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC) }

// walk goes to every path that ls prints below one, and holds ls, cat and stat to each other: a path
// leads to what ls said, and what cat prints is one JSON object of the size that stat says. It
// returns how many paths there are.
func walk(t *testing.T, tr tree.Tree, parts []string) (paths int) {
	t.Helper()
	nodes, err := tr.List(t.Context(), parts)
	if err != nil {
		t.Errorf("ls %s: %v", tree.EncodePath(parts...), err)
		return 0
	}
	seen := map[string]bool{}
	for _, n := range nodes {
		paths++
		p := &tree.Place{}
		if err := p.Read(n.Path, n.Path); err != nil || seen[n.Path] {
			t.Fatalf("ls %s prints the path %q (a second time: %t): %v", tree.EncodePath(parts...), n.Path, seen[n.Path], err)
		}
		seen[n.Path] = true
		found, err := tr.Find(t.Context(), p.Parts)
		if err != nil {
			t.Errorf("stat %s: %v", n.Path, err)
			continue
		}
		if found.Path != n.Path || found.Type != n.Type || found.State != n.State {
			t.Errorf("ls says %+v, stat %+v", n, found)
		}
		if found.Raw != nil {
			record, err := found.Raw(t.Context())
			if err != nil || !json.Valid(record) || record[0] != '{' || bytes.ContainsAny(record, "\n\r") {
				t.Errorf("cat %s = %q, %v", n.Path, record, err)
			}
			if found.Type != "file" && found.Size != int64(len(record)) {
				t.Errorf("stat %s says %d bytes, cat prints %d", n.Path, found.Size, len(record))
			}
		}
		if found.Opens() && found.Type != "workspace" {
			paths += walk(t, tr, p.Parts)
		}
	}
	return paths
}

func walkFolder(t *testing.T, dir string) int {
	t.Helper()
	a := &cmd.App{Env: cmd.Env{Now: fixedNow}, Ctx: t.Context(), Agent: true}
	s, err := input.OpenAny(a, dir)
	if err != nil {
		t.Fatal(err)
	}
	tr := &tree.LocalTree{App: a, Source: s}
	defer tr.Close()
	return walk(t, tr, nil)
}

// TestEveryPathLeads walks the samples, and a folder for each vector about the other kinds.
func TestEveryPathLeads(t *testing.T) {
	if n := walkFolder(t, samples); n < 50 {
		t.Errorf("the samples have %d paths", n)
	}
	kinds := map[string]int{}
	for v := range figstest.KindVectors() {
		t.Run(v.Name, func(t *testing.T) {
			dir := t.TempDir()
			if err := v.LayTree(dir); errors.Is(err, errors.ErrUnsupported) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			kind, _, _ := strings.Cut(v.Name, "_")
			kinds[kind] += walkFolder(t, dir)
		})
	}
	if kinds["kinds/channel"] < 100 || kinds["kinds/registry"] < 100 || kinds["kinds/workflow"] < 100 {
		t.Errorf("paths by kind: %v", kinds)
	}
}

// Ledgers that are too large to be kept are read again from the disk, with the same result.
func TestFoldUnkept(t *testing.T) {
	a := &cmd.App{Env: cmd.Env{Now: fixedNow}, Ctx: t.Context(), Agent: true}
	for _, keep := range []bool{true, false} {
		s, err := input.Open(a, sample)
		if err != nil {
			t.Fatal(err)
		}
		tr := &tree.LocalTree{App: a, Source: s}
		g := tr.All()[0]
		g.Folder, g.Report, err = input.Read(a, s, g.Contents, figs.Options{Keep: keep})
		if err != nil {
			t.Fatal(err)
		}
		n, err := tr.Find(t.Context(), []string{"agents", "1", "asks", "acme-send"})
		if err != nil || n.Title != "Send the October statement to Acme (delivery numbers added)" {
			t.Errorf("keeping %t: %+v, %v", keep, n, err)
		}
		tr.Close()
	}
}
