package local_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/local"
	"github.com/figs-web/figs-web/internal/project"
)

// desk is a folder with other kinds, whose clock a test moves.
type desk struct {
	*local.Folders
	t    *testing.T
	dir  string
	c    *clock
	root *os.Root
}

// openKinds opens a folder without any agent.
func openKinds(t *testing.T, dir string) *desk {
	t.Helper()
	d := &desk{t: t, dir: dir, c: noon()}
	var err error
	if d.root, err = os.OpenRoot(dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.root.Close() })
	d.Folders, err = local.Open(ctx, d.root.FS(), nil, local.Options{Now: d.c.now, Keep: 1 << 20, Root: d.root, Name: "repo", Find: func() []local.Agent { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *desk) put(name, text string) {
	d.t.Helper()
	name = filepath.Join(d.dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o600)); err != nil {
		d.t.Fatal(err)
	}
}

// later is the project, and the number, once the clock has gone on.
func (d *desk) later(by time.Duration) (*project.Project, int64) {
	d.t.Helper()
	d.c.at = d.c.at.Add(by)
	p, err := d.Project(ctx)
	if err != nil {
		d.t.Fatal(err)
	}
	seq, err := d.Seq(ctx, local.Workspace)
	if err != nil {
		d.t.Fatal(err)
	}
	return p, seq
}

func artifact(id, target string) string {
	return `{"version":1,"id":"` + id + `","channel":"design","kind":"file","path":"` + target + `","recordPath":".flue-runtime/artifacts/records/` + id + `.json","targetAvailable":true,` +
		`"createdAt":"2026-11-20T10:00:00Z","updatedAt":"2026-11-20T10:00:00Z","producer":{"workId":"w","kind":"prompt"},"status":"active"}`
}

const records = ".flue-runtime/artifacts/records/"

// What is written to a folder of another kind is read again, and is news; what is not, is not.
func TestKindsAreReadAgain(t *testing.T) {
	d := openKinds(t, t.TempDir())
	if p, _ := d.later(0); p != nil {
		t.Fatalf("an empty folder has %+v", p)
	}
	d.put("README.md", "# Repository")
	_, last := d.later(10 * time.Second)
	for _, c := range []struct {
		name   string
		wait   time.Duration
		change func()
		holds  func(p *project.Project) bool
	}{
		{"a first record", 10 * time.Second, func() {
			d.put("docs/plan.md", "# Plan")
			d.put(records+"art_1.json", artifact("art_1", "docs/plan.md"))
		},
			func(p *project.Project) bool { return len(p.Roots) == 1 && len(p.Roots[0].Channels.Records) == 1 }},
		{"a second one", 2 * time.Second, func() { d.put(records+"art_2.json", artifact("art_2", "docs/gone.md")) },
			func(p *project.Project) bool { return len(p.Roots[0].Channels.Records) == 2 }},
		{"its file comes", 2 * time.Second, func() { d.put("docs/gone.md", "x") },
			func(p *project.Project) bool { return !has(p.Roots[0].Report, figs.TargetMissing) }},
		{"a record is rewritten", 2 * time.Second, func() { d.put(records+"art_2.json", "{") },
			func(p *project.Project) bool { return has(p.Roots[0].Report, figs.RecordMalformed) }},
		{"a registry beside it", 10 * time.Second, func() { d.put("tools/.agents/findings/registry.jsonl", "") },
			func(p *project.Project) bool { return len(p.Roots) == 2 }},
		{"the registry goes", 10 * time.Second, func() { os.RemoveAll(filepath.Join(d.dir, "tools")) },
			func(p *project.Project) bool { return len(p.Roots) == 1 }},
	} {
		if _, seq := d.later(c.wait); seq != last {
			t.Errorf("before %s: %d after %d, and nothing has changed", c.name, seq, last)
		}
		c.change()
		p, seq := d.later(c.wait)
		if seq <= last || p == nil || !c.holds(p) {
			t.Fatalf("%s: %d after %d, %+v", c.name, seq, last, p)
		}
		last = seq
	}
}

func has(r *figs.Report, code figs.Code) bool {
	return slices.ContainsFunc(r.Findings, func(f figs.Finding) bool { return f.Code == code })
}

// A file that a root lists is an attachment, as long as nothing on its way is a link.
func TestFilesOfKinds(t *testing.T) {
	dir := t.TempDir()
	before := &desk{t: t, dir: dir}
	before.put("docs/plan.md", "# Plan")
	before.put("secret/plan.md", "secret")
	before.put(records+"art_1.json", artifact("art_1", "docs/plan.md"))
	before.put(records+"art_2.json", artifact("art_2", "link/plan.md"))
	before.put(records+"art_3.json", artifact("art_3", "soft.md"))
	for from, to := range map[string]string{"link": "secret", "soft.md": "docs/plan.md"} {
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	d := openKinds(t, dir)
	want := hash([]byte("# Plan"))
	if got, err := d.Digest(ctx, "p1", "docs/plan.md"); err != nil || got != want {
		t.Fatalf("Digest = %s, %v; want %s", got, err, want)
	}
	if a, b := bytesOf(t, d.Folders, want); string(b) != "# Plan" || !slices.Equal(a.Names, []string{"docs/plan.md"}) {
		t.Errorf("the attachment = %v %q", a.Names, b)
	}
	for _, name := range []string{"link/plan.md", "soft.md", "secret/plan.md", records + "art_1.json", "../x", "docs/../docs/plan.md", "", ".", "/etc/passwd", "docs"} {
		if got, err := d.Digest(ctx, "p1", name); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("Digest(%q) = %s, %v; want ErrNotFound", name, got, err)
		}
	}
	for _, agent := range []string{"p0", "p2", "p", "p-1", "p01", "1", "P1"} {
		if _, err := d.Digest(ctx, agent, "docs/plan.md"); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("agent %q: %v, want ErrNotFound", agent, err)
		}
	}
	if err := os.Rename(filepath.Join(dir, "docs"), filepath.Join(dir, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("elsewhere", filepath.Join(dir, "docs")); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Attachment(ctx, local.Workspace, want); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("through a link that came later: %v, want ErrNotFound", err)
	}
}

// A file system that has no name is not searched for other kinds.
func TestNoKinds(t *testing.T) {
	dir := copied(t)
	(&desk{t: t, dir: dir}).put(records+"art_1.json", artifact("art_1", "docs/plan.md"))
	if p, err := open(t, dir, 1<<20, noon()).Project(ctx); p != nil || err != nil {
		t.Errorf("Project = %+v, %v; want nothing", p, err)
	}
}

func TestKey(t *testing.T) {
	l := open(t, copied(t), 1<<20, noon())
	if key, err := l.Key(ctx, "1", figs.Asks, "acme-send"); key != "acme-send" || err != nil {
		t.Errorf("Key(acme-send) = %q, %v; want acme-send", key, err)
	}
	for _, wrong := range []struct {
		agent  string
		ledger figs.File
		id     string
	}{{"1", figs.Asks, "nope"}, {"1", figs.Runs, "acme-send"}, {"2", figs.Asks, "acme-send"}, {"x", figs.Asks, "acme-send"}, {"1", figs.AgentJSON, "acme-send"}, {"1", figs.Asks, ""}} {
		if key, err := l.Key(ctx, wrong.agent, wrong.ledger, wrong.id); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("Key(%+v) = %q, %v; want ErrNotFound", wrong, key, err)
		}
	}
}
