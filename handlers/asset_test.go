package handlers

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"testing"

	"github.com/figs-web/figs-web/static"
)

var imported = regexp.MustCompile(`(?m)^import .*'\./([a-z0-9]+\.js)';$`)

// TestModules follows the imports of what is served: everything is there, and nothing beside it.
func TestModules(t *testing.T) {
	a, err := loadAssets()
	if err != nil {
		t.Fatal(err)
	}
	found, size := map[string]bool{script: true}, 0
	for queue := []string{script}; len(queue) > 0; queue = queue[1:] {
		f, ok := a.files[queue[0]]
		if !ok {
			t.Fatalf("%s is imported and not served", queue[0])
		}
		size += len(f.gzip)
		for _, m := range imported.FindAllSubmatch(f.plain, -1) {
			if name := string(m[1]); !found[name] {
				found[name] = true
				queue = append(queue, name)
			}
		}
	}
	for _, name := range modules {
		if !found[name] {
			t.Errorf("%s is served and imported by nobody", name)
		}
	}
	if most := 10 << 10; size > most {
		t.Errorf("the scripts weigh %d bytes compressed, at most %d", size, most)
	}
	t.Logf("the scripts weigh %d bytes compressed, the style sheet %d", size, len(a.files[stylesheet].gzip))
}

// TestBare holds modules to the shape that bare counts on, and looks at what it leaves.
func TestBare(t *testing.T) {
	for _, name := range modules {
		js, err := static.Files.ReadFile(path.Join("js", name))
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range bytes.Split(js, []byte("\n")) {
			if bytes.Count(line, []byte("`"))%2 != 0 {
				t.Errorf("%s:%d: a text goes over several lines", name, n+1)
			}
		}
		words := func(b []byte) [][]byte { return bytes.Fields(aside.ReplaceAll(remark.ReplaceAll(b, nil), nil)) }
		if got := bare(js); !slices.EqualFunc(words(js), bytes.Fields(got), bytes.Equal) || len(got) >= len(js) {
			t.Errorf("%s: %d bytes became %d:\n%s", name, len(js), len(got), got)
		}
	}
	const given = "/**\n * One.\n */\n  a(); // goes\n  // goes\n  b(' //stays'); // stays: it's quoted\n  c('//stays');\n"
	if got, want := string(bare([]byte(given))), "a();\nb(' //stays'); // stays: it's quoted\nc('//stays');\n"; got != want {
		t.Errorf("bare leaves %q, want %q", got, want)
	}
}
