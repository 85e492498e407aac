package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestShort holds the shortening to what templ writes today: every step of every template is one that it knows.
func TestShort(t *testing.T) {
	root, err := module()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "components", "*_templ.go"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files with templates: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		shortened, _ := short(string(text))
		for _, step := range []string{"GeneratedTemplate(", "templruntime.WriteString(", "JoinStringErrs(", "GetBuffer("} {
			if n := strings.Count(shortened, step); n > 0 {
				t.Errorf("%s: %d of %d %s… are not shortened", filepath.Base(file), n, strings.Count(string(text), step), step)
			}
		}
		if before, after := strings.Count(string(text), ".Render("), strings.Count(shortened, ".Render("); before != after {
			t.Errorf("%s: %d calls of components are left of %d", filepath.Base(file), after, before)
		}
	}
}

// TestShortPages holds the pages of shortened templates to the golden ones, byte for byte.
func TestShortPages(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the pages once more")
	}
	folder := filepath.Join(t.TempDir(), "lean")
	if err := run(folder); err != nil {
		t.Fatal(err)
	}
	root, err := module()
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{} // the templates alone: the tests need the whole standard library
	if err := shortTemplates(folder, replace); err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(folder, "templates.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err := errors.Join(err, os.WriteFile(overlay, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	test := exec.Command("go", "test", "-count=1", "-modfile="+filepath.Join(folder, "go.mod"), "-overlay="+overlay, "-run", "Golden", "-v", "./components")
	test.Dir = root
	out, err := test.CombinedOutput()
	if err != nil || strings.Count(string(out), "--- PASS") < 3 {
		t.Errorf("the pages differ (%v):\n%.4000s", err, out)
	}
}
