package e2e

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/internal/kind"
	"github.com/figs-web/figs-web/internal/project"
	"github.com/figs-web/figs-web/internal/testenv"
)

// kindsProject is a repository that holds an agent's .figs, artifact channels, a finding registry and workflows.
func kindsProject(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo")
	for _, name := range []string{"kinds/channel_target_missing", "kinds/registry_active_with_replacement"} {
		v, err := figstest.Load(name)
		if err == nil {
			err = v.LayTree(dir)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for to, from := range map[string]string{"": filepath.Join(testenv.Root(t), "internal", "agentfile", "testdata", "project"), ".figs": filepath.Join(recent(t), ".figs")} {
		if err := os.CopyFS(filepath.Join(dir, to), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// of is a folder in another.
func of(dir string, names ...string) (paths []string) {
	for _, name := range names {
		paths = append(paths, filepath.Join(dir, filepath.FromSlash(name)))
	}
	return paths
}

// judged are the findings of a folder as the reader of the terminal sees them, a list for each root of the kinds.
func judged(t testing.TB, dir, now string, kinds ...project.Kind) (all [][]string) {
	t.Helper()
	p, err := project.ReadFS(context.Background(), os.DirFS(dir), "", now, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range p.Roots {
		if slices.Contains(kinds, root.Kind) {
			all = append(all, findingsIn(t, figs.AppendFindings(nil, root.Report)))
		}
	}
	return all
}

func findingsIn(t testing.TB, report []byte) (list []string) {
	t.Helper()
	var r struct{ Findings []figstest.Finding }
	if err := json.Unmarshal(report, &r); err != nil {
		t.Fatalf("%v in %s", err, report)
	}
	for _, f := range r.Findings {
		list = append(list, f.String())
	}
	return list
}

// record is an artifact record about a file of its own name.
func record(id string, size int64, digest string) string {
	return fmt.Sprintf(`{"version":1,"id":%[1]q,"channel":"design","kind":"binary","path":"out/%[1]s","recordPath":".flue-runtime/artifacts/records/%[1]s.json","targetAvailable":true,"sizeBytes":%[2]d,"digest":{"algorithm":"sha256","value":%[3]q},"createdAt":"2026-11-20T09:00:00Z","updatedAt":"2026-11-20T09:00:00Z","producer":{"workId":"work_1","kind":"task"},"status":"active"}`, id, size, digest)
}

// published lays files of the given sizes, which hold nothing but zeros, with a record for each.
func published(t testing.TB, digest string, sizes map[string]int64) string {
	t.Helper()
	files := map[string]string{}
	for id, size := range sizes {
		files[".flue-runtime/artifacts/records/"+id+".json"], files["out/"+id] = record(id, size, digest), ""
	}
	dir := lay(t, files)
	for id, size := range sizes {
		if err := os.Truncate(filepath.Join(dir, "out", id), size); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const given = "2026-11-20T12:00:00Z"

// TestKindsGiven gives a project, and parts of it, in every way that the page takes: the same folders of the same kinds
// are found each time, with the findings that the terminal has. What lies outside of what was given is nobody's fault.
func TestKindsGiven(t *testing.T) {
	repo := kindsProject(t)
	all := []project.Kind{project.Channels, project.Registry, project.Workflows}
	one := func(k project.Kind) []project.Kind { return []project.Kind{k} }
	var children []string
	entries, err := os.ReadDir(repo)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		children = append(children, filepath.Join(repo, e.Name()))
	}
	alone := zipped(t, filepath.Join(repo, "workflows"), "workflows/")
	p := newTab(t)
	p.open(saved(t))
	eval[chromedp.Void](p, vectorTools)
	for _, test := range []struct {
		lesson string
		paths  []string
		kinds  []project.Kind
		less   string // the findings that cannot be known, by rule
		called string // on the page
	}{
		{"project", []string{repo}, all, "", "4 folders"},
		{"project_around", []string{filepath.Dir(repo)}, all, "", "4 folders"},
		{"all_that_is_in_it", children, all, "target_missing", "4 folders"},
		{"zip", []string{zipped(t, repo, "repo/")}, all, "", "4 folders"},
		{"zip_of_contents", []string{zipped(t, repo, "")}, all, "", "4 folders"},
		{"agents", of(repo, ".agents"), one(project.Registry), "", ".agents"},
		{"findings", of(repo, ".agents/findings"), one(project.Registry), "", "findings"},
		{"registry", of(repo, ".agents/findings/registry.jsonl"), one(project.Registry), "", "what was dropped"},
		{"runtime", of(repo, ".flue-runtime"), one(project.Channels), "target_missing", ".flue-runtime"},
		{"runtime_artifacts", of(repo, ".flue-runtime/artifacts"), one(project.Channels), "target_missing", "artifacts"},
		{"workflows_zip", []string{alone}, one(project.Workflows), "*", "folder"},
		{"workflows", of(repo, "workflows"), one(project.Workflows), "*", "workflows"},
		{"workflow", of(repo, "workflows/code-reviewer"), one(project.Workflows), "*", "code-reviewer"},
		{"runs", of(repo, "artifacts"), one(project.Workflows), "*", "artifacts"},
		{"two_parts", of(repo, ".agents", ".flue-runtime"), []project.Kind{project.Channels, project.Registry}, "target_missing", "2 folders"},
	} {
		t.Run(test.lesson, func(t *testing.T) {
			p := p.in(t)
			p.hasKinds(func() { p.drop(test.paths...) }, judged(t, repo, given, test.kinds...), test.less, test.called)
		})
	}
}

// hasKinds gives something and compares the findings of each folder of a kind.
func (p *tab) hasKinds(give func(), want [][]string, less, called string) {
	p.t.Helper()
	eval[chromedp.Void](p, fmt.Sprintf("vectors.begin(%s)", quoted(given)))
	give()
	for i, list := range want {
		text, err := base64.StdEncoding.DecodeString(eval[string](p, fmt.Sprintf("vectors.kind(%d)", i+1)))
		if err != nil {
			p.t.Fatal(err)
		}
		got := findingsIn(p.t, text)
		if less == "*" {
			continue // which folders are found is enough
		}
		list = slices.DeleteFunc(list, func(f string) bool { return less != "" && strings.Contains(f, less) })
		if !slices.Equal(got, list) {
			p.t.Errorf("root %d has the findings %q, want %q", i+1, got, list)
		}
	}
	if got := p.text("#opened"); called != "" && got != called {
		p.t.Errorf("the page calls it %q, want %q", got, called)
	}
	p.quiet()
}

// TestKindsWithoutHandles gives the project as browsers do that have no handles: dropped as entries, and chosen as a
// list. Both need a page of a server.
func TestKindsWithoutHandles(t *testing.T) {
	repo, s := kindsProject(t), serve(t)
	want := judged(t, repo, given, project.Channels, project.Registry, project.Workflows)
	p := newTab(t)
	p.open(s.url("/inspect"))
	eval[chromedp.Void](p, vectorTools+`; delete DataTransferItem.prototype.getAsFileSystemHandle, undefined`)
	p.hasKinds(func() { p.drop(repo) }, want, "", "4 folders")
	p.hasKinds(func() { p.drop(filepath.Join(repo, ".agents")) }, judged(t, repo, given, project.Registry), "", ".agents")
	p.hasKinds(func() { p.choose("#pick-folder", repo) }, want, "", "4 folders")
	p.hasKinds(func() { p.choose("#pick-folder", filepath.Join(repo, ".flue-runtime")) }, judged(t, repo, given, project.Channels), "target_missing", ".flue-runtime")
}

// choose gives files or a folder to an input, as its dialog would.
func (p *tab) choose(selector string, paths ...string) {
	p.t.Helper()
	found := call(p, runtime.Evaluate, runtime.EvaluateParams{Expression: fmt.Sprintf("document.querySelector(%q)", selector)})
	call(p, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: paths, ObjectID: found.Result.ObjectID})
}

// TestKindsOfTwoProjects drops two repositories of one name together: neither hides the other.
func TestKindsOfTwoProjects(t *testing.T) {
	a, b := kindsProject(t), kindsProject(t)
	p := newTab(t)
	p.open(saved(t))
	eval[chromedp.Void](p, vectorTools)
	three := []project.Kind{project.Channels, project.Registry, project.Workflows}
	p.hasKinds(func() { p.drop(a, b) }, slices.Concat(judged(t, a, given, three...), judged(t, b, given, three...)), "", "8 folders")
}

// TestKindsAfterTheReader ends the reader that has learned a project: the next answers all the same.
func TestKindsAfterTheReader(t *testing.T) {
	repo := kindsProject(t)
	p := newTab(t)
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: keepWorkers})
	p.open(saved(t))
	eval[chromedp.Void](p, vectorTools)
	want := judged(t, repo, given, project.Channels, project.Registry, project.Workflows)
	p.hasKinds(func() { p.drop(repo) }, want, "", "4 folders")
	for range 2 {
		eval[chromedp.Void](p, `asked.dispatchEvent(new ErrorEvent("error", { message: "ended by the test" })), undefined`)
		p.hasKinds(func() {
			eval[chromedp.Void](p, `performance.mark("folder-read"), document.querySelector("#view").firstElementChild.old = false, undefined`)
		}, want, "", "4 folders")
	}
}

// TestKindsLarge drops targets that are larger than what is hashed at once, and larger than what is hashed at all: of
// those only the size is compared.
func TestKindsLarge(t *testing.T) {
	const size = 65 << 20
	sum := sha256.Sum256(make([]byte, size))
	dir := published(t, hex.EncodeToString(sum[:]), map[string]int64{"same": size, "other": 9, "huge": kind.MaxDigest + 1})
	p := newTab(t)
	p.open(saved(t))
	eval[chromedp.Void](p, vectorTools)
	want := judged(t, dir, given, project.Channels)
	if len(want) != 1 || len(want[0]) != 2 || !strings.Contains(want[0][0], "target_digest_differs") {
		t.Fatalf("the terminal says %q, want one wrong digest and one that was not computed", want)
	}
	p.hasKinds(func() {
		p.drop(dir)
		p.awaitFor(3*patience, `performance.getEntriesByName("folder-read").length`, "the folder to be read")
	}, want, "", "")
}

// TestKindsCancelled ends a reading while large files are hashed.
func TestKindsCancelled(t *testing.T) {
	sizes := map[string]int64{}
	for i := range 4 {
		sizes[fmt.Sprint("large_", i)] = kind.MaxDigest - int64(i)
	}
	dir := published(t, strings.Repeat("0", 64), sizes)
	p := newTab(t)
	p.open(saved(t))
	p.drop(dir)
	p.await(has("#progress-file", "out/large_"), "word of the file that is hashed")
	p.click(`[data-act="cancel"]`)
	p.troubled("Reading was cancelled", "Nothing from this folder was kept.")
	p.give(filepath.Join(recent(t), ".figs"))
	p.glance()
	p.quiet()
}
