package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
)

const module = "github.com/figs-web/figs-web"

// pkg is what go list says of a package.
type pkg struct {
	ImportPath   string
	Name         string
	Dir          string
	Standard     bool
	GoFiles      []string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Deps         []string
}

// rel is the package's path inside the module, or its import path when it is from elsewhere.
func rel(importPath string) string {
	if importPath == module {
		return "."
	}
	return strings.TrimPrefix(importPath, module+"/")
}

func ours(importPath string) bool {
	return importPath == module || strings.HasPrefix(importPath, module+"/")
}

// matches reports whether a path is the pattern, or below it when it ends in "/...".
func matches(pattern, path string) bool {
	root, tree := strings.CutSuffix(pattern, "/...")
	return path == root || tree && strings.HasPrefix(path, root+"/")
}

func matchesAny(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return matches(pattern, path) })
}

func roomOf(table []room, path string) (room, bool) {
	for _, r := range table {
		if matches(r.path, path) {
			return r, true
		}
	}
	return room{}, false
}

// graph is every package of a build by import path.
type graph map[string]pkg

// check holds one package to its room's row and returns what is wrong, one sentence each.
func (g graph) check(table []room, p pkg) []string {
	path := rel(p.ImportPath)
	r, ok := roomOf(table, path)
	if !ok {
		return []string{fmt.Sprintf("%s has no row in the import table (internal/archtest/rooms_test.go): add one that says what it may import and why", path)}
	}
	var wrong []string
	for _, imported := range p.Imports {
		other := rel(imported)
		switch {
		case g[imported].Standard || matchesAny(r.may, other) || !ours(imported) && g.outside(imported) == "":
		case ours(imported) && sameRoom(r, other):
		case matches("cmd/...", other):
			wrong = append(wrong, fmt.Sprintf("%s imports %s, but nothing imports a program: move what both need into a package", path, other))
		default:
			wrong = append(wrong, fmt.Sprintf("%s imports %s, which its row does not allow: %s", path, other, r.why))
		}
		if ours(imported) && matchesAny(toolRooms, other) && !matchesAny(toolRooms, path) && !matchesAny(r.may, other) {
			wrong = append(wrong, fmt.Sprintf("%s imports %s, which is for building and testing only", path, other))
		}
	}
	for _, dep := range p.Deps {
		if rule := g.forbidden(r, dep); rule != "" {
			wrong = append(wrong, fmt.Sprintf("%s reaches %s (%s), which its row rules out by %q: %s",
				path, rel(dep), strings.Join(g.way(p.ImportPath, dep), " → "), rule, r.why))
		}
	}
	return wrong
}

// sameRoom lets the packages of a "/..." row import one another.
func sameRoom(r room, path string) bool {
	return strings.HasSuffix(r.path, "/...") && matches(r.path, path)
}

// outside names a package from beyond the module and the standard library.
func (g graph) outside(importPath string) string {
	if ours(importPath) || g[importPath].Standard || importPath == "C" || importPath == "unsafe" {
		return ""
	}
	return importPath
}

func (g graph) forbidden(r room, dep string) string {
	for _, pattern := range r.never {
		if pattern == anyDependency && g.outside(dep) != "" {
			return pattern
		}
		// The standard library has an internal/ of its own, which nobody can rule out.
		if matches(pattern, rel(dep)) && (ours(dep) || !strings.HasPrefix(pattern, "internal/")) {
			return pattern
		}
	}
	return ""
}

// way is a shortest chain of imports from one package to another.
func (g graph) way(from, to string) []string {
	came := map[string]string{from: from}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		for _, next := range g[queue[0]].Imports {
			if _, seen := came[next]; !seen {
				came[next] = queue[0]
				queue = append(queue, next)
			}
		}
	}
	var chain []string
	for at := to; at != from; at = came[at] {
		if came[at] == "" {
			return []string{rel(from), "…", rel(to)}
		}
		chain = append(chain, rel(at))
	}
	chain = append(chain, rel(from))
	slices.Reverse(chain)
	return chain
}

// load asks go list for every package of the module and all they need. It also reads the files it was told of, so that
// go test runs this again when one of them changes.
func load(t *testing.T, goos, goarch, tags string) graph {
	t.Helper()
	root := testenv.Root(t)
	cmd := exec.Command("go", "list", "-e", "-deps", "-tags="+tags, "-json=ImportPath,Name,Dir,Standard,GoFiles,Imports,TestImports,XTestImports,Deps", "./...")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if goos != "" {
		cmd.Env = append(cmd.Env, "GOOS="+goos, "GOARCH="+goarch)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	g := graph{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("what go list printed: %v", err)
		}
		g[p.ImportPath] = p
		if ours(p.ImportPath) {
			for _, name := range p.GoFiles {
				if _, err := os.ReadFile(filepath.Join(p.Dir, name)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return g
}

func TestImports(t *testing.T) {
	for _, target := range []struct{ name, goos, goarch string }{{"native", "", ""}, {"js_wasm", "js", "wasm"}} {
		t.Run(target.name, func(t *testing.T) {
			g := load(t, target.goos, target.goarch, "")
			checked := 0
			for _, p := range g {
				if !ours(p.ImportPath) || len(p.GoFiles) == 0 {
					continue
				}
				checked++
				for _, sentence := range g.check(rooms, p) {
					t.Error(sentence)
				}
			}
			if checked < 3 {
				t.Errorf("only %d packages found: is go list looking in the right place?", checked)
			}
			var empty []string
			for _, r := range rooms {
				if !g.has(r.path) {
					empty = append(empty, r.path)
				}
			}
			t.Logf("%d packages checked; rooms not built yet: %s", checked, strings.Join(empty, ", "))
		})
	}
}

func (g graph) has(pattern string) bool {
	for path := range g {
		if ours(path) && matches(pattern, rel(path)) {
			return true
		}
	}
	return false
}
