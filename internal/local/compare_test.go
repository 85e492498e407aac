package local_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/local"
)

// TestCompareAttachments finds one edited byte of an attachment that is as large as it was, and one that cannot be opened.
func TestCompareAttachments(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"now", "then"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS("../../static/samples/reconciliation")); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	agents := []local.Agent{{Path: "now/.figs", Contents: folder.List(root.FS(), "now/.figs")}, {Path: "then/.figs", Contents: folder.List(root.FS(), "then/.figs")}}
	l, err := local.Open(ctx, root.FS(), agents, local.Options{Now: noon().now, Keep: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	compare := func() *journal.Comparison {
		t.Helper()
		const page = "/1/compare?with=agent-2"
		c, err := ask(t, l, page).(journal.Comparer).Compare(ctx, "1", journal.Query{With: "agent-2"})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if c := compare(); c.Past != figs.HistoryUnchanged || len(c.Files)+len(c.Records)+len(c.Lines.Items) > 0 {
		t.Fatalf("a copy differs: %+v", c)
	}
	files, err := os.ReadDir(filepath.Join(dir, "now/.figs/artifacts"))
	if err != nil || len(files) < 2 {
		t.Fatal("the sample has too few attachments")
	}
	edited, hidden := files[0].Name(), files[1].Name()
	name := filepath.Join(dir, "now/.figs/artifacts", edited)
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, info.ModTime(), info.ModTime()); err != nil { // its time of change proves nothing
		t.Fatal(err)
	}
	if c := compare(); len(c.Files) != 1 || c.Files[0].Kind != figs.FileDiffers || c.Files[0].Name != edited || c.Files[0].Old != c.Files[0].New {
		t.Errorf("one edited byte: %+v", c.Files)
	}
	link := filepath.Join(dir, "then/.figs/artifacts", hidden)
	if err := os.Rename(link, filepath.Join(dir, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "elsewhere"), link); err != nil {
		return // a system without links has none to follow
	}
	for _, f := range compare().Files {
		if f.Name == hidden && f.Kind == figs.FileDiffers {
			t.Errorf("what cannot be opened is called different: %+v", f)
		}
	}
}
