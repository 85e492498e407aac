package project

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/internal/kind"
)

// TestVectors reads every vector about the other kinds from a real folder.
func TestVectors(t *testing.T) {
	figstest.RunKinds(t, func(v figstest.Vector) (figstest.Result, error) {
		dir := t.TempDir()
		if err := v.LayTree(dir); err != nil {
			return figstest.Result{}, err
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			return figstest.Result{}, err
		}
		defer root.Close()
		p, err := ReadFS(context.Background(), root.FS(), "", v.Now, nil)
		if err != nil {
			return figstest.Result{}, err
		}
		if len(p.Roots) != 1 || p.Roots[0].Path != "." {
			t.Fatalf("%s: the vector has %d folders of a kind, want one, at its top", v.Name, len(p.Roots))
		}
		return figstest.Result{FindingsJSON: figs.AppendFindings(nil, p.Roots[0].Report), States: p.Roots[0].States()}, nil
	})
}

func TestLook(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	err := errors.Join(
		os.WriteFile(filepath.Join(dir, "a.md"), []byte("abc"), 0o600), os.Mkdir(filepath.Join(dir, "folder"), 0o700),
		os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o600),
		os.Symlink("a.md", filepath.Join(dir, "link")), os.Symlink(outside, filepath.Join(dir, "out")),
	)
	if err != nil {
		t.Skip(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	for name, want := range map[string]kind.Target{
		"a.md":       {State: kind.TargetAvailable, Size: 3, SHA256: abc},
		"link":       {State: kind.TargetAvailable, Link: true, Size: 3, SHA256: abc},
		"folder":     {State: kind.TargetAvailable, Dir: true, Size: -1},
		"gone.md":    {State: kind.TargetMissing, Size: -1},
		"a.md/x":     {State: kind.TargetUnreadable, Size: -1},
		"out/secret": {State: kind.TargetEscaping, Link: true, Size: -1},
		"../x":       {State: kind.TargetMissing, Size: -1},
	} {
		got := InspectTarget(context.Background(), root.FS(), name, 10)
		got.Detail = ""
		if name == "a.md/x" && got.State == kind.TargetMissing {
			continue // systems differ in what they call a file that is no folder
		}
		if got != want {
			t.Errorf("Look(%q) = %+v, want %+v", name, got, want)
		}
	}
	if got := InspectTarget(context.Background(), root.FS(), "a.md", 2); got.SHA256 != "" || got.Size != 3 {
		t.Errorf("a file past the most = %+v, want its size alone", got)
	}
}

// TestReadFSStopsWhenTold holds a reading to the context.
func TestReadFSStopsWhenTold(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if p, err := ReadFS(ctx, os.DirFS(t.TempDir()), "", "", nil); !errors.Is(err, context.Canceled) || p != nil {
		t.Errorf("ReadFS = %v, %v, want nothing and context.Canceled", p, err)
	}
}
