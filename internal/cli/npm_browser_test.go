package cli

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/internal/testenv"
)

// testPackageInBrowser opens the samples in a browser with the package that is installed in dir.
func testPackageInBrowser(t *testing.T, dir, browser, program string) {
	root := testenv.Root(t)
	samples := filepath.Join(root, "static", "samples")
	var names []string
	err := fs.WalkDir(os.DirFS(samples), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/engine/", http.StripPrefix("/engine/", http.FileServer(http.Dir(filepath.Join(dir, "node_modules", "@figs-web", "engine")))))
	mux.Handle("/samples/", http.StripPrefix("/samples/", http.FileServer(http.Dir(samples))))
	mux.Handle("/wasm/", http.StripPrefix("/wasm/", http.FileServer(http.Dir(testenv.Wasm(t)))))
	mux.HandleFunc("/files.json", func(w http.ResponseWriter, _ *http.Request) { json.NewEncoder(w).Encode(names) })
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/html") })
	server := httptest.NewServer(mux)
	defer server.Close()
	var got struct {
		Findings          map[string]map[string]string
		Compared, Refused string
		Inspector         [2]string
		Globals           []string
	}
	if err := json.Unmarshal(runProgram(t, dir, "node", "browser.mjs", browser, program, server.URL, testenv.NodeModules(t)), &got); err != nil {
		t.Fatal(err)
	}
	printed, err := output("doctor", samples, "--json", "--now", "2026-11-20T12:00:00Z")
	if err != nil {
		t.Fatal(err)
	}
	want := findingsByAgent(t, printed)
	if len(want) < 3 {
		t.Fatalf("the samples have %d agents, want 3 or more", len(want))
	}
	for _, way := range []string{"files", "handle", "streams"} {
		if diff := cmp.Diff(want, got.Findings[way]); diff != "" {
			t.Errorf("%s (-command line +package):\n%s", way, diff)
		}
	}
	if compared, err := output("compare", samples, samples, "--json"); err != nil || strings.TrimSuffix(string(compared), "\n") != got.Compared {
		t.Errorf("compare says\n%s\nand the package\n%s (%v)", compared, got.Compared, err)
	}
	if got.Refused != "TypeError" || got.Inspector[0] != "version" || !strings.Contains(got.Inspector[1], "use the engine.wasm that comes with the package") {
		t.Errorf("a path is refused by %q, another module by %q", got.Refused, got.Inspector)
	}
	if len(got.Globals) > 0 {
		t.Errorf("the package leaves globals behind: %q", got.Globals)
	}
}
