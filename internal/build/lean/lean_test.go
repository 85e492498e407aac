package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWithout(t *testing.T) {
	files := map[string][]byte{
		"a.go": []byte(`package a

import (
	"fmt"
	web "net/http"
	"strings"
)

// Handler serves.
type Handler struct{ next web.Handler }

func (h *Handler) Serve(x int) { fmt.Println(x) }

func New() *Handler { return nil }

var (
	kept = strings.ToUpper("kept")
	gone = New()
)

type text struct{ Handler string }

func (t text) String() string { return t.Handler }
`),
		"b.go": []byte("package a\n\nfunc useless() { _ = gone }\n\nfunc useful() string { return kept }\n"),
		"c.go": []byte("package a\n\nimport \"net/url\"\n\nvar _ url.URL\n"),
	}
	got, err := without(files, []string{"net/http"})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got["a.go"] == nil || got["b.go"] == nil {
		t.Fatalf("%d files change, want a.go and b.go", len(got))
	}
	for _, word := range []string{"net/http", "Serve", "New", "gone", "fmt", "serves", "useless"} {
		if strings.Contains(string(got["a.go"])+string(got["b.go"]), word) {
			t.Errorf("%q is still there:\n%s", word, got["a.go"])
		}
	}
	for _, word := range []string{"kept = strings.ToUpper", "type text struct", "return t.Handler", "func useful"} {
		if !strings.Contains(string(got["a.go"])+string(got["b.go"]), word) {
			t.Errorf("%q is gone:\n%s", word, got["a.go"])
		}
	}
	if strings.Count(string(got["a.go"]), "\n") != strings.Count(string(files["a.go"]), "\n") {
		t.Error("lines have moved")
	}
}

// The reader builds with what run writes, and links neither a web server nor Go's templates.
func TestReaderIsLean(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "lean")
	if err := run(folder); err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-modfile="+filepath.Join(folder, "go.mod"), "-deps", "github.com/figs-web/figs-web/wasm/reader")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	linked := strings.Fields(string(out))
	for _, path := range append(slices.Clone(lost), "crypto/tls", "text/template") {
		if slices.Contains(linked, path) {
			t.Errorf("the reader still links %s", path)
		}
	}
	if !slices.Contains(linked, library) {
		t.Errorf("the reader does not link %s: the list is of something else", library)
	}
}
