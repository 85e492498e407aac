package archtest

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
)

// kept returns every file that git keeps or would keep, by path from the root, with its bytes. The tree is also walked
// here, so that go test notices when a file comes or goes.
func kept(t *testing.T) map[string][]byte {
	t.Helper()
	root := testenv.Root(t)
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		if testenv.CI() {
			t.Fatalf("git ls-files: %v", err)
		}
		t.Skip("which files are committed is not tested: this is no git checkout, or git is not installed")
	}
	names := map[string]bool{}
	for _, name := range strings.Split(string(out), "\x00") {
		names[name] = true
	}
	files := map[string][]byte{}
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if entry.IsDir() && slices.Contains([]string{".git", ".cache", "bin", "static/wasm"}, name) {
			return fs.SkipDir
		}
		if !names[name] || !entry.Type().IsRegular() {
			return nil
		}
		files[name], err = os.ReadFile(file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Addresses and paths that belong to one machine. They are put together here so that this file does not hold them.
var foreign = map[string]string{
	"/wo" + "rk/":               "a path of one machine",
	"/ro" + "ot/":               "a path of one machine",
	"proxy.golang" + ".org":     "a module proxy: which one is used is the machine's choice",
	"sum.golang" + ".org":       "a checksum server: which one is used is the machine's choice",
	"registry.npmjs" + ".org":   "a registry: which one is used is the machine's choice",
	"registry.yarnpkg" + ".com": "a registry: which one is used is the machine's choice",
}

func foreignIn(data []byte) (what, why string) {
	for what, why := range foreign {
		if bytes.Contains(data, []byte(what)) {
			return what, why
		}
	}
	return "", ""
}

var (
	inlineStyle  = regexp.MustCompile(`(?i)\sstyle\s*=`)
	inlineScript = regexp.MustCompile(`(?i)<[a-z][^>]*\son[a-z]+\s*=`)
	inlineBlock  = regexp.MustCompile(`(?i)<style\b|<script\b(?:[^>](?:[^>s]|s[^r])*)?>`)
)

// inlineIn finds what our pages' policy would block.
func inlineIn(templ []byte) string {
	for _, pattern := range []*regexp.Regexp{inlineStyle, inlineScript, inlineBlock} {
		if found := pattern.Find(templ); found != nil {
			return string(bytes.TrimSpace(found))
		}
	}
	return ""
}

func TestNoFileHoldsWhatBelongsToOneMachine(t *testing.T) {
	for name, data := range kept(t) {
		if what, why := foreignIn(data); what != "" {
			t.Errorf("%s holds %q, %s", name, what, why)
		}
	}
	if what, _ := foreignIn([]byte("see /ro" + "ot/x")); what == "" {
		t.Error("foreignIn finds nothing in a text that holds such a path")
	}
}

func TestNoPageHasInlineScriptOrStyle(t *testing.T) {
	for name, data := range kept(t) {
		if !strings.HasSuffix(name, ".templ") {
			continue
		}
		if strings.HasPrefix(name, "components/emails/") { // no page: mail clients ignore style sheets
			data = inlineStyle.ReplaceAll(data, nil)
		}
		if found := inlineIn(data); found != "" {
			t.Errorf("%s holds %q: our pages' policy allows no inline script or style, so put it into static/", name, found)
		}
	}
	for source, want := range map[string]bool{
		`<p class="style">onward = 1</p>`:                       false,
		`<p style="color:red">`:                                 true,
		`<button type="button" onclick="go()">`:                 true,
		`<script type="module" src={ site.Assets.JS }>`:         false,
		`<script>go()</script>`:                                 true,
		`<style>p{}</style>`:                                    true,
		`<link rel="stylesheet" href={ site.Assets.CSS }/>`:     false,
		"<div\n\tclass=\"lane\"\n\tstyle={ width(percent) }\n>": true,
	} {
		if got := inlineIn([]byte(source)) != ""; got != want {
			t.Errorf("inlineIn(%q) found something: %v, want %v", source, got, want)
		}
	}
}

// vague names say nothing of what is inside.
var vague = []string{"util", "utils", "common", "helper", "helpers", "types", "models", "misc", "shared"}

func vagueIn(name string) string {
	for _, part := range strings.Split(name, "/") {
		stem, _, _ := strings.Cut(part, ".")
		if slices.Contains(vague, strings.TrimSuffix(strings.ToLower(stem), "_test")) {
			return part
		}
	}
	return ""
}

func TestNames(t *testing.T) {
	for name := range kept(t) {
		top, _, inFolder := strings.Cut(name, "/")
		if _, known := topLevel[top]; inFolder && !known {
			t.Errorf("%s: a new folder beside go.mod is a decision: put it into internal/, or add it to topLevel in rooms_test.go with what it is for", name)
		}
		if !strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, ".templ") || strings.Contains(name, "/testdata/") {
			continue
		}
		if part := vagueIn(name); part != "" {
			t.Errorf("%s: %q says nothing of what is inside; name it by the noun it holds", name, part)
		}
	}
	if vagueIn("internal/util/a.go") != "util" || vagueIn("figs/types_test.go") == "" || vagueIn("figs/ask.go") != "" {
		t.Error("vagueIn does not tell vague names from good ones")
	}
}

// maxLines is where a file stops to read like a page.
const maxLines = 500

func TestFilesAreShort(t *testing.T) {
	for name, data := range kept(t) {
		if path.Ext(name) != ".go" && path.Ext(name) != ".templ" || strings.HasSuffix(name, "_templ.go") || strings.Contains(name, "/testdata/") {
			continue
		}
		if lines := bytes.Count(data, []byte("\n")); lines > maxLines {
			t.Errorf("%s has %d lines: beyond %d nobody reads it as one page, so divide it by noun", name, lines, maxLines)
		}
	}
}
