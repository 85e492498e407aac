package local

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs/folder"
)

// Seq rises with every change, and the folders are looked at once a second at most.
func TestSeq(t *testing.T) {
	d := made(t)
	seq := func() int64 {
		t.Helper()
		n, err := d.Seq(ctx, Workspace)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	last := seq()
	plan := filepath.Join(d.dir, "artifacts", "plan.md")
	for _, c := range []struct {
		name   string
		change func()
	}{
		{"a line", func() { d.add("asks.jsonl", raised+"\n") }},
		{"an attachment", func() { d.put("artifacts/new.md", "x") }},
		{"other bytes of one size", func() { d.put("artifacts/plan.md", "# Plot"); os.Chtimes(plan, d.now, d.now) }},
		{"a file is gone", func() { os.Remove(plan) }},
		{"a reply", func() { d.give("1", strip) }},
		{"the folder is gone", func() { os.RemoveAll(d.dir) }},
	} {
		d.now = d.now.Add(2 * time.Second)
		if n := seq(); n != last {
			t.Errorf("before %s: %d after %d, and nothing has changed", c.name, n, last)
		}
		c.change()
		if n := seq(); n != last && c.name != "a reply" {
			t.Errorf("%s, at once: %d, want %d: it was looked at a moment ago", c.name, n, last)
		}
		d.now = d.now.Add(2 * time.Second)
		n := seq()
		if n <= last {
			t.Errorf("%s: %d, want more than %d", c.name, n, last)
		}
		last = n
	}
}

// Agents that come later stand behind the others, also when their folder would come before.
func TestAgentsCome(t *testing.T) {
	d := made(t)
	tree := filepath.Dir(d.dir)
	root, err := os.OpenRoot(tree)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	found := func() (all []Agent) {
		list, _ := folder.Find(root.FS())
		for _, f := range list {
			all = append(all, Agent{Path: f.Dir, Contents: folder.List(root.FS(), f.Dir)})
		}
		return all
	}
	now := d.now
	l, err := Open(ctx, root.FS(), found(), Options{Now: func() time.Time { return now }, Root: root, Find: found})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(tree, "a", ".figs"), os.DirFS(d.dir)); err != nil {
		t.Fatal(err)
	}
	now = now.Add(10 * time.Second)
	j, err := l.Journal(ctx, "/")
	if err != nil {
		t.Fatal(err)
	}
	agents, err := j.Agents(ctx)
	if err != nil || len(agents) != 2 || agents[0].Path != ".figs" || agents[1].Path != "a/.figs" {
		t.Errorf("%+v, %v; want the new one second", agents, err)
	}
}
