package web

import (
	"bytes"
	"maps"
	"path"
	"regexp"
	"slices"
	"testing"

	"github.com/figs-web/figs-web/static"
)

var (
	imported = regexp.MustCompile(`(?m)^import .*'(\.\.?/[a-z0-9/-]+\.js)';$`)
	later    = regexp.MustCompile(`\bimport\('(\.\.?/[a-z0-9/-]+\.js)'\)`)
)

// TestModules follows the imports of what is served: everything is there, and nothing beside it.
// What every page loads is light, and so is what comes later.
func TestModules(t *testing.T) {
	a, err := LoadAssets()
	if err != nil {
		t.Fatal(err)
	}
	first, size := follow(t, a, []string{Script}, nil)
	rest, more := follow(t, a, nil, first)
	known := maps.Clone(first)
	maps.Copy(known, rest)
	acted, last := follow(t, a, nil, known)
	for _, name := range modules {
		if !known[name] && !acted[name] {
			t.Errorf("%s is served and imported by nobody", name)
		}
	}
	if most := 13_600; size > most { // 200 let the inbox keep its list and know two more keys; 700 translate what scripts say; 200 of them keep the page without a connection; 160 are for the keys of time, and the way to its slider; 200 have an attachment measured, 460 make a chart one tab stop; 500 are names that say what they mean
		t.Errorf("the scripts of every page weigh %d bytes compressed, at most %d", size, most)
	}
	// Those of passkeys, of web push and of the slider over time are for pages of their own; a tenth
	// of the rest looks at what of an attachment is on the screen, and nearly half measures what of it is drawn, where one is shown.
	// 1,900 keep the list of the inbox beside its asks, which only the inbox loads; 2,800 are of reading mode and of paper, which
	// only pages with an attachment load; 2,100 keep comments
	// that someone has begun and lead to their form, 1,700 are for a phone.
	if most := 45_000; more > most || more == 0 {
		t.Errorf("the scripts that come later weigh %d bytes compressed, at most %d", more, most)
	}
	// And what comes when someone selects a passage or adds a comment; 2,000 are the dialog for going to an agent, an ask or a page,
	// 1,200 complete filters and searches while someone types.
	if most := 15_200; last > most || last == 0 {
		t.Errorf("the scripts that come with an action weigh %d bytes compressed, at most %d", last, most)
	}
	t.Logf("the scripts weigh %d bytes compressed, %d more and %d with an action, the style sheet %d", size, more, last, len(a.Files[Stylesheet].gzip))
}

// follow adds up some modules and what they import; with others given, what those import later.
func follow(t *testing.T, a *assets, queue []string, others map[string]bool) (found map[string]bool, size int) {
	t.Helper()
	found = map[string]bool{}
	for name := range others {
		for _, m := range later.FindAllSubmatch(a.Files[name].plain, -1) {
			queue = append(queue, path.Join(path.Dir(name), string(m[1])))
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		name := queue[0]
		if found[name] || others[name] {
			continue
		}
		f, ok := a.Files[name]
		if !ok {
			t.Fatalf("%s is imported and not served", name)
		}
		found[name] = true
		size += len(f.gzip)
		for _, m := range imported.FindAllSubmatch(f.plain, -1) {
			queue = append(queue, path.Join(path.Dir(name), string(m[1])))
		}
	}
	return found, size
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
		words := func(b []byte) [][]byte {
			return bytes.Fields(aside.ReplaceAll(cast.ReplaceAll(remark.ReplaceAll(b, nil), nil), nil))
		}
		if got := Minify(js); !slices.EqualFunc(words(js), bytes.Fields(got), bytes.Equal) || len(got) >= len(js) {
			t.Errorf("%s: %d bytes became %d:\n%s", name, len(js), len(got), got)
		}
	}
	const given = "/**\n * One.\n */\n  a(); // goes\n  // goes\n  b(' //stays'); // stays: it's quoted\n  c('//stays');\n  d = /** @type {E} */ (f);\n"
	if got, want := string(Minify([]byte(given))), "a();\nb(' //stays'); // stays: it's quoted\nc('//stays');\nd = (f);\n"; got != want {
		t.Errorf("bare leaves %q, want %q", got, want)
	}
}
