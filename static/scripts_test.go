package static

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	importLine = regexp.MustCompile(`(?m)^import\s(?:[^;]*?\sfrom\s)?'(\.[^']+\.js)'`)
	importCall = regexp.MustCompile(`\bimport\('(\.[^']+\.js)'\)`)
	docComment = regexp.MustCompile(`(?s)/\*\*.*?\*/`) // names types of other scripts, which imports nothing
)

// TestScriptsImportInNoCircle follows the imports of all scripts, also those that a script makes while it runs.
func TestScriptsImportInNoCircle(t *testing.T) {
	imports := scriptImports(t)
	const entered, left = 1, 2
	state := map[string]int{}
	var follow func(name string, trail []string)
	follow = func(name string, trail []string) {
		trail = append(slices.Clone(trail), name)
		switch state[name] {
		case left:
			return
		case entered:
			t.Errorf("scripts import each other in a circle: %s", strings.Join(trail[slices.Index(trail, name):], " → "))
			return
		}
		state[name] = entered
		for _, imported := range imports[name] {
			if _, ok := imports[imported]; ok {
				follow(imported, trail)
			} else if imported != "../wasm/wasm_exec.js" {
				t.Errorf("%s imports %s, which is not there", name, imported)
			}
		}
		state[name] = left
	}
	for name := range imports {
		follow(name, nil)
	}
}

// scriptImports returns for each script, by its path in js, the scripts that it imports.
func scriptImports(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	for name, source := range scripts(t) {
		imports[name] = nil
		source = docComment.ReplaceAllString(source, "")
		for _, pattern := range []*regexp.Regexp{importLine, importCall} {
			for _, match := range pattern.FindAllStringSubmatch(source, -1) {
				imports[name] = append(imports[name], path.Join(path.Dir(name), match[1]))
			}
		}
	}
	return imports
}

// scripts returns the source of each script by its path in js.
func scripts(t *testing.T) map[string]string {
	t.Helper()
	names, err := fs.Glob(Files, "js/*/*.js")
	if err != nil || len(names) < 40 {
		t.Fatalf("%d scripts: %v", len(names), err)
	}
	sources := map[string]string{}
	for _, name := range names {
		source, err := fs.ReadFile(Files, name)
		if err != nil {
			t.Fatal(err)
		}
		sources[strings.TrimPrefix(name, "js/")] = string(source)
	}
	return sources
}

var scriptName = regexp.MustCompile(`[a-z]+/[a-z0-9-]+\.js`)

// TestScriptsSayWhoLoadsThem holds the first line of each script to a comment that says what the script does and who
// loads it; a script that it names does import this one, or registers it as a worker.
func TestScriptsSayWhoLoadsThem(t *testing.T) {
	sources, imports := scripts(t), scriptImports(t)
	for name, source := range sources {
		first, _, _ := strings.Cut(source, "\n")
		does, loaders, found := strings.Cut(first, ". Loaded by ")
		if !strings.HasPrefix(does, "// ") || !found || !strings.HasSuffix(loaders, ".") {
			t.Errorf("%s begins with %q, want a comment like %q", name, first, "// Reads a dropped folder or zip. Loaded by inspector/main.js.")
			continue
		}
		for _, loader := range scriptName.FindAllString(loaders, -1) {
			if !slices.Contains(imports[loader], name) && !strings.Contains(sources[loader], "'/"+path.Base(name)+"'") {
				t.Errorf("%s says that %s loads it, which does not", name, loader)
			}
		}
	}
}
