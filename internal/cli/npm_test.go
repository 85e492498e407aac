package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/testenv"
	"github.com/figs-web/figs-web/internal/version"
	"github.com/figs-web/figs-web/wasm/jsonapi"
)

// npmPackage packs @figs-web/engine, installs it from the file into an empty folder, and returns the folder. Scripts of the
// package's tests are put there.
func npmPackage(t *testing.T) string {
	t.Helper()
	root := testenv.Root(t)
	testenv.NPMPackage(t)
	dir := t.TempDir()
	packed := runProgram(t, root, "go", "run", "./internal/build/npm", "-o", dir)
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private":true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	runProgram(t, dir, "npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", strings.TrimSpace(string(packed)))
	sources := filepath.Join(dir, "sources") // all are copied, so that go test notices when one changes
	if err := os.CopyFS(sources, os.DirFS(filepath.Join(root, "packages", "engine"))); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(sources, "test"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

func runProgram(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s%s", name, args, err, out, &stderr)
	}
	return out
}

// hashOf is how packages/engine/test/vectors.mjs prints a text.
func hashOf(b []byte) [2]any {
	sum := sha256.Sum256(b)
	return [2]any{float64(len(b)), hex.EncodeToString(sum[:])}
}

// nativeTexts are the texts of each agent below a directory, by its path, from the command line and the native engine.
func nativeTexts(t *testing.T, dir, now string) map[string]map[string][2]any {
	t.Helper()
	texts := map[string]map[string][2]any{}
	printed, err := output("doctor", dir, "--json", "--now", now)
	if err != nil {
		t.Fatal(err)
	}
	fsys := os.DirFS(dir)
	for agent, report := range findingsByAgent(t, printed) {
		texts[agent] = map[string][2]any{"findings": hashOf([]byte(report))}
		c := folder.List(fsys, strings.TrimPrefix(agent, path.Base(dir)+"/"))
		f, _, err := c.Read(context.Background(), figs.Options{Keep: true, Now: now}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for ledger := range figs.File(figs.Ledgers) { // as `figs-web fold` does
			var out bytes.Buffer
			if err := c.Fold(context.Background(), f, ledger, &out); err != nil {
				t.Fatal(err)
			}
			texts[agent][ledger.String()] = hashOf(out.Bytes())
		}
	}
	addNativeAnswers(t, fsys, path.Base(dir), now, texts)
	return texts
}

// findingsByAgent takes what `doctor --json` prints of several agents apart: for each, by its path, what it prints of it alone.
func findingsByAgent(t *testing.T, printed []byte) map[string]string {
	t.Helper()
	var all struct{ Agents []json.RawMessage }
	if err := json.Unmarshal(printed, &all); err != nil {
		t.Fatal(err)
	}
	reports := map[string]string{}
	for _, agent := range all.Agents {
		var about struct{ Path string }
		if err := json.Unmarshal(agent, &about); err != nil {
			t.Fatal(err)
		}
		first, _ := json.Marshal(about.Path)
		reports[about.Path] = "{" + strings.TrimPrefix(string(agent), `{"path":`+string(first)+",") + "\n"
	}
	return reports
}

// addNativeAnswers adds the answers that the package gets from the WebAssembly module, from the same Go code.
func addNativeAnswers(t *testing.T, fsys fs.FS, name, now string, texts map[string]map[string][2]any) {
	t.Helper()
	e := jsonapi.New()
	call := func(r jsonapi.Request) []byte {
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return e.Call(b)
	}
	var entries []jsonapi.Entry
	err := fs.WalkDir(fsys, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			entries = append(entries, jsonapi.Entry{Path: file, Size: info.Size()})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var listed jsonapi.Listed
	if err := json.Unmarshal(call(jsonapi.Request{Op: "list", Name: name, Now: now, Entries: entries}), &listed); err != nil {
		t.Fatal(err)
	}
	for _, a := range listed.Agents {
		for _, f := range a.Files {
			b, err := fs.ReadFile(fsys, f.Path)
			if err != nil {
				t.Fatal(err)
			}
			copy(e.Buffer(len(b)), b)
			e.Feed(a.Number, f.Number, len(b))
		}
	}
	call(jsonapi.Request{Op: "finish"})
	for _, a := range listed.Agents {
		for _, op := range []string{"jobs", "asks", "messages", "files", "states"} {
			texts[a.Path][op] = hashOf(call(jsonapi.Request{Op: op, Agent: a.Number, Limit: 200}))
		}
	}
}

// layVectors lays the vectors into folders of 50 agents below dir, and those of more than a mebibyte into "large". Every fourth
// folder is called "both…". It returns how many agents each has, and how many vectors no directory can hold.
func layVectors(t *testing.T, dir string) (laid map[string]int, left int) {
	t.Helper()
	laid = map[string]int{}
	n := 0
	for v := range figstest.Vectors() {
		name := []string{"both", "path", "path", "path"}[n/50%4] + strconv.Itoa(n/50)
		for _, text := range v.Files {
			if len(text) > 1<<20 {
				name = "large"
			}
		}
		place := filepath.Join(dir, name, v.Name)
		err := v.Lay(filepath.Join(place, ".figs"))
		if errors.Is(err, errors.ErrUnsupported) || v.Name == "folder_empty" { // nothing lists an empty folder
			left++
			os.RemoveAll(place)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		laid[name]++
		n++
	}
	return laid, left
}

// TestPackage tries the npm package as it is installed.
func TestPackage(t *testing.T) {
	t.Parallel()
	dir := npmPackage(t)
	t.Run("vectors", func(t *testing.T) { testPackageVectors(t, dir) })
	t.Run("behaviour", func(t *testing.T) {
		out := strings.Split(string(runProgram(t, dir, "node", "behaviour.mjs")), "\n")
		if len(out) != 4 {
			t.Fatalf("it prints %q", out)
		}
		defer os.RemoveAll(filepath.Dir(out[1]))
		if want, err := output("compare", out[1], out[2], "--json"); err != nil || string(want) != out[0]+"\n" {
			t.Errorf("compare prints\n%s\nand the package\n%s (%v)", want, out[0], err)
		}
	})
	t.Run("Chromium", func(t *testing.T) { testPackageInBrowser(t, dir, "chrome", testenv.Chromium(t)) })
	if os.Getenv("FIGS_LONG") != "" { // it takes several seconds to start
		t.Run("Firefox", func(t *testing.T) { testPackageInBrowser(t, dir, "firefox", testenv.Firefox(t)) })
	}
	t.Run("versions", func(t *testing.T) { testPackageVersions(t, dir) })
}

// testPackageVersions has a module of another version refused.
func testPackageVersions(t *testing.T, dir string) {
	file := filepath.Join(dir, "node_modules", "@figs-web", "engine", "lib", "version.js")
	if err := os.WriteFile(file, []byte("export const version = 'v9.0.0';\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const script = `import("@figs-web/engine").then(({ open }) => open([], { worker: process.argv[1] === "worker" })).catch(e => console.log(e.code + ": " + e.message))`
	want := "version: The WebAssembly module is version " + version.Version + " and this package is version v9.0.0: use the engine.wasm that comes with the package.\n"
	for _, way := range []string{"thread", "worker"} {
		if got := string(runProgram(t, dir, "node", "-e", script, way)); got != want {
			t.Errorf("in a %s: %q, want %q", way, got, want)
		}
	}
}

// testPackageVectors reads every conformance vector that a directory can hold with the npm package under Node, from the
// directory, and in a worker from streams: each text is what the command line prints and the native engine answers, byte
// for byte.
func testPackageVectors(t *testing.T, dir string) {
	const now = "2026-11-20T12:00:00Z"
	vectors := filepath.Join(dir, "vectors")
	want := map[string]map[string]map[string][2]any{"path": {}, "streams": {}}
	laid, left := layVectors(t, vectors)
	for name, n := range laid {
		texts := nativeTexts(t, filepath.Join(vectors, name), now)
		if len(texts) != n {
			t.Fatalf("%d agents are found, want %d", len(texts), n)
		}
		maps.Copy(want["path"], texts)
		if strings.HasPrefix(name, "both") {
			maps.Copy(want["streams"], texts)
		}
	}
	got, needs := map[string]map[string]map[string][2]any{}, 0
	for line := range bytes.Lines(runProgram(t, dir, "node", "vectors.mjs", vectors, now)) {
		var said struct {
			Way, Path, Closed     string
			Needs, Counted, Found int
			Texts                 map[string][2]any
			Globals               []string
		}
		if err := json.Unmarshal(line, &said); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		switch {
		case said.Path != "":
			if got[said.Way] == nil {
				got[said.Way] = map[string]map[string][2]any{}
			}
			got[said.Way][said.Path] = said.Texts
		case len(said.Globals) > 0:
			t.Errorf("the package leaves globals behind: %q", said.Globals)
		case said.Closed != "" && said.Closed != "closed":
			t.Errorf("%s: a closed folder answers with %q", said.Way, said.Closed)
		case said.Needs != said.Counted || said.Found != said.Counted:
			t.Errorf("%s: %d asks are listed and %d found, want %d", said.Way, said.Needs, said.Found, said.Counted)
		default:
			needs += said.Counted
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-native +package):\n%s", diff)
	}
	if needs < 100 {
		t.Errorf("%d asks need a person: the lists were hardly tested", needs)
	}
	t.Logf("%d vectors agree to the byte, read by path; %d of them also from streams in a worker; %d are left out, which no directory can hold", len(want["path"]), len(want["streams"]), left)
}
