package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/inspector"
	"github.com/figs-web/figs-web/internal/testenv"
)

func TestInspectorWriteAndCheck(t *testing.T) {
	testenv.Wasm(t)
	if _, err := inspector.File(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "inspector.html")
	wrote := run(t, "inspector", "-o", name)
	if wrote.code != 0 || !strings.Contains(wrote.stdout, "SHA-256 ") {
		t.Fatalf("inspector -o = %d %q %q", wrote.code, wrote.stdout, wrote.stderr)
	}
	checked := run(t, "inspector", "--check", name)
	if checked.code != 0 || !strings.HasPrefix(checked.stdout, "Unchanged") || !strings.Contains(checked.stdout, "same file") {
		t.Errorf("inspector --check = %d %q", checked.code, checked.stdout)
	}
	_, sum, _ := strings.Cut(wrote.stdout, "SHA-256 ")
	sum, _, _ = strings.Cut(sum, "\n")
	var object struct {
		SHA256         string
		Whole, Carried bool
		Problems       []string
	}
	if err := json.Unmarshal([]byte(machine(t, "--agent", "inspector", "--check", name).stdout), &object); err != nil {
		t.Fatal(err)
	}
	if object.SHA256 != sum || !object.Whole || !object.Carried || object.Problems == nil {
		t.Errorf("--agent inspector --check = %+v, want it whole, with the hash %s", object, sum)
	}
	if out := run(t, "inspector", "-o", "-"); out.code != 0 || !strings.HasPrefix(strings.ToLower(out.stdout), "<!doctype html>") {
		t.Errorf("inspector -o - = %d, %d bytes", out.code, len(out.stdout))
	}
}

// A copy in which one letter was changed is told from a whole one.
func TestInspectorCheckFindsTampering(t *testing.T) {
	testenv.Wasm(t)
	file, err := inspector.File()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "copy.html")
	if err := os.WriteFile(name, bytes.Replace(file, []byte("connect-src 'none'"), []byte("connect-src *"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	got := run(t, "inspector", "--check", name)
	if got.code != 1 || !strings.HasPrefix(got.stdout, "Changed:") || strings.Contains(got.stdout, "same file") {
		t.Errorf("inspector --check of a changed copy = %d %q", got.code, got.stdout)
	}
	if got := machine(t, "--agent", "inspector", "--check", name); got.code != 102 || !strings.Contains(got.stdout, `"whole":false`) || !strings.Contains(got.stderr, `"error":"INVALID_FORMAT"`) {
		t.Errorf("--agent inspector --check of a changed copy = %d %q %q", got.code, got.stdout, got.stderr)
	}
}

// Without the modules the command says how to get them.
func TestInspectorMissing(t *testing.T) {
	if _, err := inspector.File(); err == nil {
		t.Skip("this program carries its inspector")
	}
	if got := run(t, "inspector", "-o", filepath.Join(t.TempDir(), "x.html")); got.code != 1 || !strings.Contains(got.stderr, "make build") {
		t.Errorf("inspector -o without modules = %d %q", got.code, got.stderr)
	}
}
