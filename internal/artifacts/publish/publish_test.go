package publish

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/project"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 123_000_000, time.UTC)

// workspace is a folder with files, by path; one that ends in a slash is a folder.
func workspace(t *testing.T, files map[string]string) (*Workspace, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "workspace")
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(file), 0o755)
		if strings.HasSuffix(name, "/") {
			err = os.MkdirAll(file, 0o755)
		} else if err == nil {
			err = os.WriteFile(file, []byte(content), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w, dir
}

func artifact(file string) Artifact {
	return Artifact{File: file, Channel: "design", Producer: artifacts.Producer{Work: "w1"}, Now: now}
}

// readers read the whole workspace as every door does, digests too.
func readers(t *testing.T, w *Workspace) *project.Root {
	t.Helper()
	p, err := project.ReadFS(context.Background(), w.root.FS(), "x", "", nil)
	if err != nil || len(p.Roots) != 1 {
		t.Fatalf("ReadFS = %+v, %v", p, err)
	}
	return p.Roots[0]
}

func TestPublish(t *testing.T) {
	w, dir := workspace(t, map[string]string{"out/design <1>.md": "# Design\n", "out/site/index.html": "", "empty/": ""})
	if err := os.Symlink("out/design <1>.md", filepath.Join(dir, "link.md")); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	first, err := w.Publish(context.Background(), artifact(filepath.Join(dir, "out", "design <1>.md")))
	if err != nil {
		t.Fatal(err)
	}
	whole := artifact(filepath.Join(dir, "link.md"))
	whole.Kind, whole.Title, whole.Summary, whole.MediaType, whole.Tags, whole.Parents, whole.Replaces = "report", "Ü “1”\n", "</script>", "text/markdown", []string{"a", "b"}, []string{first.ID}, first.ID
	whole.Producer = artifacts.Producer{Work: "w2", ParentWork: "w1", Kind: "task", Name: "n", Session: "s", Parent: "p", Task: "t", Role: "r", CWD: "/w", Model: "m"}
	all := []Artifact{whole, artifact(filepath.Join(dir, "out")), artifact(filepath.Join(dir, "empty"))}
	for _, a := range all {
		p, err := w.Publish(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		onDisk, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p.RecordPath)))
		if err != nil || string(onDisk) != string(p.Record) || len(p.Remarks) > 0 {
			t.Errorf("%+v is recorded as %q, %v", p, onDisk, err)
		}
	}
	root := readers(t, w)
	if len(root.Report.Findings) > 0 || len(root.Channels.Records) != 4 {
		t.Fatalf("the records have findings: %+v", root.Report.Findings)
	}
	r := root.Channels.Record(2)
	if got := root.Channels.Named(first.ID); !got.Superseded || got.Size != 9 || got.Digest == "" || got.Kind != "file" || got.Producer.Kind != "shell" || got.Created != "2026-11-20T12:00:00.123Z" {
		t.Errorf("the first record is %+v", got)
	}
	for i := range root.Channels.Records {
		if root.Channels.Records[i].Replaces != "" {
			r = &root.Channels.Records[i]
		}
	}
	want := whole.Producer
	if r.Producer != want || r.Title != whole.Title || r.Summary != whole.Summary || r.MediaType != whole.MediaType || len(r.Tags) != 2 || len(r.Parents) != 1 || r.Parents[0].No == 0 || r.Path != "link.md" {
		t.Errorf("the second record reads as %+v", r)
	}
	for _, path := range []string{"out", "empty"} {
		for _, r := range root.Channels.List(artifacts.Filter{}) {
			if r.Path == path && (r.Kind != "directory" || r.Size != -1 || r.Digest != "") {
				t.Errorf("a folder is recorded as %+v", r)
			}
		}
	}
}

// What cannot be published leaves nothing behind, not even the folder of records.
func TestRefused(t *testing.T) {
	w, dir := workspace(t, map[string]string{"a.md": "a", "../outside/b.md": "b"})
	os.Symlink(filepath.Join("..", "outside"), filepath.Join(dir, "escape"))
	os.Symlink("nowhere", filepath.Join(dir, "dangling"))
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	with := func(change func(*Artifact)) Artifact {
		a := artifact(in("a.md"))
		change(&a)
		return a
	}
	for _, c := range []struct {
		about string
		a     Artifact
		want  Reason
		rule  string
	}{
		{"no such file", artifact(in("b.md")), ReasonNotFound, ""},
		{"no such folder", artifact(in("b/c.md")), ReasonNotFound, ""},
		{"outside", artifact(in("../outside/b.md")), ReasonMalformed, ""},
		{"nothing outside", artifact(in("../outside/c/d.md")), ReasonNotFound, ""},
		{"outside through a link", artifact(in("escape/b.md")), ReasonMalformed, ""},
		{"a link to nothing", artifact(in("dangling")), ReasonNotFound, ""},
		{"a device", artifact(os.DevNull), ReasonMalformed, ""},
		{"channel", with(func(a *Artifact) { a.Channel = "No Channel" }), ReasonMalformed, "record_channel_malformed"},
		{"no work", with(func(a *Artifact) { a.Producer.Work = "" }), ReasonMalformed, "producer_work_missing"},
		{"status", with(func(a *Artifact) { a.Status = "done" }), ReasonMalformed, "record_status_unknown"},
		{"title", with(func(a *Artifact) { a.Title = strings.Repeat("é", artifacts.MaxTitle+1) }), ReasonMalformed, "record_title_too_long"},
		{"summary", with(func(a *Artifact) { a.Summary = strings.Repeat("é", artifacts.MostSummary+1) }), ReasonMalformed, "record_summary_too_long"},
		{"secret", with(func(a *Artifact) { a.Summary = "password=correct-horse" }), ReasonMalformed, "record_summary_secret"},
		{"replaces nothing", with(func(a *Artifact) { a.Replaces = "art_none" }), ReasonNotFound, ""},
		{"replaces a path", with(func(a *Artifact) { a.Replaces = "../../../a" }), ReasonNotFound, ""},
		{"made from nothing", with(func(a *Artifact) { a.Parents = []string{"art_none"} }), ReasonNotFound, ""},
	} {
		p, err := w.Publish(context.Background(), c.a)
		var refused *RefusedError
		if !errors.As(err, &refused) || refused.Reason != c.want || refused.Rule != c.rule || refused.Hint == "" || p != nil {
			t.Errorf("%s: %+v, %#v, want %d %q", c.about, p, err, c.want, c.rule)
		}
		if refused != nil && strings.Contains(refused.Sentence, dir) {
			t.Errorf("%s: %q names the machine's folder", c.about, refused.Sentence)
		}
	}
	if _, err := os.Stat(in(".flue-runtime")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.Publish(canceled, artifact(in("a.md"))); !errors.Is(err, context.Canceled) {
		t.Errorf("a publication that was stopped: %v", err)
	}
}

// Rights are the system's: what may not be read is not published, and where nothing may be written, nothing is.
func TestDenied(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("this user may read and write everything")
	}
	w, dir := workspace(t, map[string]string{"a.md": "a", "secret.md": "s", artifacts.Dir + "/": ""})
	os.Chmod(filepath.Join(dir, "secret.md"), 0)
	os.Chmod(filepath.Join(dir, filepath.FromSlash(artifacts.Dir)), 0o500)
	for _, name := range []string{"secret.md", "a.md"} {
		var refused *RefusedError
		if _, err := w.Publish(context.Background(), artifact(filepath.Join(dir, name))); !errors.As(err, &refused) || refused.Reason != ReasonDenied {
			t.Errorf("%s: %v, want it denied", name, err)
		}
	}
	os.Chmod(filepath.Join(dir, filepath.FromSlash(artifacts.Dir)), 0o700)
}

// The folder of records is never found through a link that leads out.
func TestRuntimeLeadsOut(t *testing.T) {
	w, dir := workspace(t, map[string]string{"a.md": "a", "../outside/artifacts/records/": ""})
	if err := os.Symlink(filepath.Join("..", "outside"), filepath.Join(dir, ".flue-runtime")); err != nil {
		t.Skip(err)
	}
	var refused *RefusedError
	if _, err := w.Publish(context.Background(), artifact(filepath.Join(dir, "a.md"))); !errors.As(err, &refused) {
		t.Errorf("Publish = %v, want it refused", err)
	}
	if names, _ := filepath.Glob(filepath.Join(dir, "..", "outside", "artifacts", "records", "*")); len(names) > 0 {
		t.Errorf("%q were written outside", names)
	}
}

// An id that is taken stays what it was, and the artifact gets another one.
func TestIDTaken(t *testing.T) {
	w, dir := workspace(t, map[string]string{"a.md": "a"})
	records := filepath.Join(dir, filepath.FromSlash(artifacts.Dir))
	a, taken := artifact(filepath.Join(dir, "a.md")), ""
	a.written = func(id string) error {
		if taken == "" {
			taken = id
			return os.WriteFile(filepath.Join(records, taken+".json"), []byte("mine"), 0o644)
		}
		return nil
	}
	p, err := w.Publish(context.Background(), a)
	if err != nil || p.ID == taken {
		t.Fatalf("Publish = %+v, %v", p, err)
	}
	if b, _ := os.ReadFile(filepath.Join(records, taken+".json")); string(b) != "mine" {
		t.Errorf("the other record reads %q now", b)
	}
	if names, _ := filepath.Glob(filepath.Join(records, ".*")); len(names) > 0 {
		t.Errorf("%q are left", names)
	}
}

// Publishers need not know of each other.
func TestPublishers(t *testing.T) {
	w, dir := workspace(t, map[string]string{"a.md": "a"})
	const publishers, each = 8, 20
	var all sync.WaitGroup
	for range publishers {
		all.Go(func() {
			for range each {
				if _, err := w.Publish(context.Background(), artifact(filepath.Join(dir, "a.md"))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if root := readers(t, w); len(root.Channels.Records) != publishers*each || len(root.Report.Findings) > 0 {
		t.Errorf("%d records, findings %+v", len(root.Channels.Records), root.Report.Findings)
	}
}

func TestFind(t *testing.T) {
	w, dir := workspace(t, map[string]string{"a.md": "a"})
	if c, _, err := w.Channels(context.Background()); err != nil || len(c.Records) > 0 {
		t.Errorf("Channels of nothing = %+v, %v", c, err)
	}
	p, err := w.Publish(context.Background(), artifact(filepath.Join(dir, "a.md")))
	if err != nil {
		t.Fatal(err)
	}
	records := filepath.Join(dir, filepath.FromSlash(artifacts.Dir))
	other := strings.ReplaceAll(string(p.Record), p.ID, "art_other")
	for name, content := range map[string]string{"misnamed.json": other, "broken.json": "{", "large.json": strings.Repeat(" ", 5<<20), "folder.json/x": ""} {
		file := filepath.Join(records, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for id, state := range map[string]artifacts.TargetState{p.ID: artifacts.TargetAvailable, "art_other": artifacts.TargetAvailable} {
		if r, err := w.Find(context.Background(), id); err != nil || r == nil || r.Target.State != state {
			t.Errorf("Find(%q) = %+v, %v", id, r, err)
		}
	}
	for _, id := range []string{"", "broken", "misnamed", "large", "folder", "../records/" + p.ID, "art_none"} {
		if r, err := w.Find(context.Background(), id); err != nil || r != nil {
			t.Errorf("Find(%q) = %+v, %v, want none", id, r, err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "a.md")); err != nil {
		t.Fatal(err)
	}
	if r, err := w.Find(context.Background(), p.ID); err != nil || r == nil || r.Target.State != artifacts.TargetUnavailable {
		t.Errorf("Find of what is gone = %+v, %v", r, err)
	}
	c, report, err := w.Channels(context.Background())
	if err != nil || len(c.Records) != 2 || report.Errors != 3 {
		t.Errorf("Channels = %d records, %+v, %v; want the broken and the large one, and a wrong name, to be said", len(c.Records), report.Findings, err)
	}
}
