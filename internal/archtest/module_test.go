package archtest

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
)

// TestModuleFile holds go.mod to what is imported, without a network: a required module is called direct exactly when
// our packages, their tests or a tool line name it. (go mod tidy sees more, but asks the network for it.)
func TestModuleFile(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(testenv.Root(t), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	direct, indirect, tools := required(string(data))
	imported := map[string]bool{}
	// Builds of their own are read too: modules that only they link are required all the same.
	for _, target := range []struct{ goos, goarch, tags string }{{}, {tags: "otel"}, {goos: "js", goarch: "wasm"}} {
		for _, p := range load(t, target.goos, target.goarch, target.tags) {
			if ours(p.ImportPath) {
				for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
					imported[path] = true
				}
			}
		}
	}
	for _, tool := range tools {
		imported[tool] = true
	}
	for _, sentence := range untidy(direct, indirect, slices.Sorted(maps.Keys(imported))) {
		t.Error(sentence)
	}
}

// required reads a go.mod file's requirements and tools.
func required(text string) (direct, indirect, tools []string) {
	block := ""
	for _, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0:
			continue
		case fields[0] == ")":
			block = ""
			continue
		case len(fields) == 2 && fields[1] == "(":
			block = fields[0]
			continue
		}
		verb := block
		if verb == "" {
			verb, fields = fields[0], fields[1:]
		}
		switch {
		case verb == "tool":
			tools = append(tools, fields[0])
		case verb == "require" && strings.Contains(line, "// indirect"):
			indirect = append(indirect, fields[0])
		case verb == "require":
			direct = append(direct, fields[0])
		}
	}
	return direct, indirect, tools
}

// untidy compares requirements with the paths that our packages, their tests and the tool lines import.
func untidy(direct, indirect, imported []string) []string {
	provider := func(path string) string {
		best := ""
		for _, mod := range slices.Concat(direct, indirect) {
			if matches(mod+"/...", path) && len(mod) > len(best) {
				best = mod
			}
		}
		return best
	}
	used := map[string]bool{}
	for _, path := range imported {
		used[provider(path)] = true
	}
	var wrong []string
	for _, mod := range direct {
		if !used[mod] {
			wrong = append(wrong, "go.mod requires "+mod+", which nothing imports: run go mod tidy")
		}
	}
	for _, mod := range indirect {
		if used[mod] {
			wrong = append(wrong, "go.mod calls "+mod+" indirect, but we import it: run go mod tidy")
		}
	}
	return wrong
}

func TestUntidy(t *testing.T) {
	direct, indirect, tools := required(`module m

go 1.26.0

tool a.example/tool/cmd/t

require b.example/lib v1.0.0

require (
	a.example/tool v1.0.0
	c.example/dead v1.0.0
	d.example/hidden v1.0.0 // indirect
	d.example/deep v1.0.0 // indirect
)
`)
	got := strings.Join(untidy(direct, indirect, append(tools, "b.example/lib/sub", "d.example/hidden")), "\n")
	want := "go.mod requires c.example/dead, which nothing imports: run go mod tidy\n" +
		"go.mod calls d.example/hidden indirect, but we import it: run go mod tidy"
	if got != want {
		t.Errorf("untidy = %q, want %q", got, want)
	}
}
