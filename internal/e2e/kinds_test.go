package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
)

// handoffs is a repository whose agents hand two designs and a patch to each other: one design replaces another, two
// patches compete.
func handoffs(t testing.TB) string {
	t.Helper()
	files := map[string]string{
		"out/design.md": "# Importer\n\nOne pass.\n", "out/design-2.md": "# Importer\n\nTwo passes.\n", "out/a.md": "# A\n", "out/b.md": "# B\n", "out/patch.md": "# Patch\n",
		".agents/findings/registry.jsonl": `{"id":"f-1","version":1,"tier":"local","source":{"repo":"r","session":"s","file":"a.md","skill":"review"},"date":"2026-01-09","severity":"high","category":"validation-gap","pattern":"Plans can omit prior findings.","detection_question":"Were they loaded?","checklist_item":"Load them.","applicable_languages":["go"],"applicable_when":["plan-shape"],"status":"active","superseded_by":null,"dedup_key":"validation-gap|plans-can-omit-prior-findings|plan-shape","hit_count":0,"last_cited":null,"ttl_days":30,"confidence":"high"}` + "\n",
	}
	published := func(id, channel, path, work, parent, replaces string) {
		sum := sha256.Sum256([]byte(files[path]))
		files[".flue-runtime/artifacts/records/"+id+".json"] = fmt.Sprintf(`{"version":1,"id":%q,"channel":%q,"kind":"file","path":%q,"recordPath":".flue-runtime/artifacts/records/%s.json","targetAvailable":true,"title":"Title of %s","sizeBytes":%d,"digest":{"algorithm":"sha256","value":%q},"createdAt":"2026-11-20T09:00:0%dZ","updatedAt":"2026-11-20T09:00:00Z","producer":{"workId":%q,"kind":"task"%s},"status":"active"%s}`,
			id, channel, path, id, id, len(files[path]), hex.EncodeToString(sum[:]), len(files)%10, work, optional("parentWorkId", parent), optional("replaces", replaces))
	}
	published("art_1", "design", "out/design.md", "work_1", "", "")
	published("art_2", "design", "out/design-2.md", "work_2", "work_1", "art_1")
	published("art_3", "patch", "out/patch.md", "work_2", "work_1", "")
	published("art_4", "patch", "out/a.md", "work_3", "work_1", "art_3")
	published("art_5", "patch", "out/b.md", "work_4", "work_1", "art_3")
	dir := lay(t, files)
	for to, from := range map[string]string{"": filepath.Join(testenv.Root(t), "internal", "agentfile", "testdata", "project"), ".figs": filepath.Join(sample(t, "reconciliation"), ".figs")} {
		if err := os.CopyFS(filepath.Join(dir, to), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func optional(key, value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf(",%q:%q", key, value)
}

// TestKinds drops a repository with all kinds of folders on the page as it is kept on disk, and goes through what it
// shows of them.
func TestKinds(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	p.open(saved(t))
	p.drop(handoffs(t))
	for _, page := range []struct {
		path, name string
		says       []string
	}{
		{"/", "kinds-cover", []string{"Send the October statement to Acme (delivery numbers added)", "Reconciliation Officer", "Title of art_4"}},
		{"/channels/1", "kinds-channels", []string{"Title of art_2", "patch"}},
		{"/channels/1/records/2", "kinds-record", []string{"Title of art_2", "art_1"}},
		{"/channels/1/work", "kinds-work", []string{"work_1", "work_4"}},
		{"/channels/1/findings", "kinds-findings", nil},
		{"/registry/2", "kinds-registry", []string{"Plans can omit prior findings."}},
		{"/registry/2/entries/1", "kinds-entry", []string{"Were they loaded?", "Load them."}},
		{"/registry/2/rank?when=plan-shape", "kinds-rank", []string{"Plans can omit prior findings."}},
		{"/workflows/3", "kinds-workflows", []string{"code-reviewer"}},
		{"/workflows/3/flows/1", "kinds-flow", nil},
		{"/workflows/3/runs/1", "kinds-run", nil},
		{"/workflows/3/files", "kinds-files", nil},
	} {
		t.Run(page.name, func(t *testing.T) {
			p := p.in(t)
			p.visit(page.path)
			p.sees(page.says...)
			p.everyScreen(page.name)
		})
	}
	p.visit("/channels/1/records/2")
	p.staged()
	p.frames("Two passes.")
	p.quiet()
	if n := eval[int](p, `performance.getEntriesByType("resource").filter(e => !/^(blob|data):/.test(e.name)).length`); n != 0 {
		p.t.Errorf("the page asked for %d resources, want none", n)
	}
}
