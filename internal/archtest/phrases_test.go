package archtest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// phrases are wordings that plain English has better words for. They are looked for in what people read: rendered
// pages, help, errors, findings and documents.
var phrases = []struct {
	pattern *regexp.Regexp
	better  string
}{
	{words(`stands|stood still`), `say what it does: "is", "is blocked", "appears", "applies"`},
	{words(`somebody|somebody's`), `"someone"`},
	{words(`nobody`), `"no one", or say who cannot do what`},
	{words(`whoever`), `"anyone who", or name the role`},
	{words(`let(s|ting)? ((this|that|a|the|one) \w+ |it |you |one |them |him |her |someone |people )?in`), `"approve", "invite", "give access", "sign in"`},
	{words(`(take|takes|taken|taking) back`), `"undo", "revoke"`},
	{words(`way in|ways in`), `"sign-in method"`},
	{words(`anew`), `"again"`},
	{words(`mend(s|ed|ing)?`), `"fix"`},
	{words(`by itself|by themselves|of its own accord`), `"automatically", "alone", or leave it out`},
	{words(`of its own`), `"its own", "a separate"`},
	{regexp.MustCompile(`(?i)(\b(it|that|which|what|this|they|file|folder|line|value)|[”s]) (is|are) no ([^l ]|l[^o])`), `"is not a", "has no"`},
	{words(`at hand`), `"available"`},
	{words(`letters (go|goes|went|were sent|are sent)|(test|such|mail) letter|by letter|letter to`), `"email"`},
	{words(`put off`), `"snooze", "postpone"`},
	{words(`is asked of|is owed|owes`), `"needs you", "waiting for …"`},
	{words(`is to (act|be|answer|decide|close|reply|pass|do|say|show|come|stand|take|go|read)`), `"must", "should", or who does what`},
	{words(`shall`), `"will", "should"`},
	{words(`no more|any more`), `"no longer", "anymore"`},
	{words(`goes well|went well|it is good`), `"succeeds", "works"`},
	{words(`lately`), `"recently"`},
	{words(`in the meantime|meanwhile`), `"since then", "while …"`},
	{words(`since (\d+|just|an?) (minutes?|hours?|days?|seconds?|weeks?|now|min|h|d|s)( ago)?`), `"for 22 minutes" or "since 14:42"`},
	{words(`doors?`), `name the thing: inspector, local server, hosted server, command line`},
	{words(`wherefrom|thereof|therein|whereby|hereby|wherein`), `plain words`},
	{words(`what is (kept|said|asked|sent)`), `a noun`},
	{words(`nothing (is|was) (lost|wrong|to remark|told|asked|to be)`), `say what is: "Your data is safe", "No problems found"`},
	{regexp.MustCompile(`\be-mails?\b`), `"email"`},
	{words(`come(s)? to nothing|came to nothing`), `"fails"`},
}

func words(alternatives string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(` + alternatives + `)\b`)
}

// honest are the uses that stay: the place, or "" for any, a piece of the sentence, and why it is plain English there.
var honest = []struct{ place, text, why string }{
	{"docs/cli.md", "stands, exchanged", "the value of a field of the JSON"},
	{"internal/cli/check/compare.go", "stands (no earlier line", "the value of a field of the JSON"},
}

// finding is a phrase in something that people read.
type finding struct{ place, text, phrase, better string }

// find looks for phrases in a text, and leaves out honest uses.
func find(place, text string) (found []finding) {
	for _, p := range phrases {
		for _, at := range p.pattern.FindAllStringIndex(text, -1) {
			start, end := max(0, at[0]-60), min(len(text), at[1]+60)
			around := text[start:end]
			if !slices.ContainsFunc(honest, func(h struct{ place, text, why string }) bool {
				return (h.place == "" || strings.HasPrefix(place, h.place)) && strings.Contains(around, h.text)
			}) {
				found = append(found, finding{place, strings.Join(strings.Fields(around), " "), text[at[0]:at[1]], p.better})
			}
		}
	}
	return found
}

// TestPhrases reads what people read: rendered pages without the words of agents, the strings of the program, lessons,
// scripts and documents.
func TestPhrases(t *testing.T) {
	seen := map[string]bool{}
	report := func(name, text string) {
		for _, f := range find(name, text) {
			if key := f.text; !seen[key] {
				seen[key] = true
				t.Errorf("%s: %q in “…%s…”: say %s", f.place, f.phrase, f.text, f.better)
			}
		}
	}
	for name, data := range kept(t) {
		switch {
		case strings.HasPrefix(name, "components/testdata/") && path.Ext(name) == ".html":
			report(name, pageText(t, data))
		case strings.HasSuffix(name, "messages.golden"):
			for line := range strings.Lines(string(data)) {
				if message, ok := strings.CutPrefix(line, "\t"); ok { // other lines are names of cases
					report(name, message)
				}
			}
		case strings.Contains(name, "testdata/"), strings.HasPrefix(name, "internal/fidelity/"), name == "CHANGELOG.md", name == "docs/renamed.md", strings.HasPrefix(name, "docs/performance"):
		case path.Ext(name) == ".md", strings.HasPrefix(name, "figs/lessons/rules/"):
			report(name, string(data))
		case strings.HasSuffix(name, "_templ.go"), strings.HasSuffix(name, "_test.go"), strings.HasSuffix(name, "test.go"):
		case path.Ext(name) == ".go" && !isTool(path.Dir(name)):
			for _, text := range literals(t, name, data) {
				report(name, text)
			}
		}
	}
}

func isTool(dir string) bool {
	return matchesAny(toolRooms, dir) || strings.HasPrefix(dir, "components/pagetest")
}

// literals are the strings of a Go file that have several words.
func literals(t *testing.T, name string, data []byte) (texts []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		if text, err := strconv.Unquote(lit.Value); err == nil && strings.Count(text, " ") > 1 {
			texts = append(texts, text)
		}
		return true
	})
	return texts
}

// pageText is what a person reads of a page, with the labels of its elements; what agents wrote stands in <bdi>.
func pageText(t *testing.T, page []byte) string {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode && slices.Contains([]string{"bdi", "script", "style", "iframe", "code", "pre"}, n.Data) {
			b.WriteString(" … ")
			return
		}
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		for _, a := range n.Attr {
			if slices.Contains([]string{"aria-label", "title", "placeholder", "alt"}, a.Key) && !strings.Contains(a.Val, "\u2068") {
				b.WriteString(" | " + a.Val + " | ")
			}
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
		b.WriteString(" ")
	}
	walk(root)
	return b.String()
}

func TestPhrasesAreFound(t *testing.T) {
	for text, want := range map[string]string{
		"Nobody may reply here.":                      "Nobody",
		"Let this client in?":                         "Let this client in",
		"“%” is no status of a job.":                  "” is no s",
		"In use since 53 seconds ago":                 "since 53 seconds ago",
		"The reply was taken back.":                   "taken back",
		"Your e-mail address":                         "e-mail",
		"The agent is to act and close.":              "is to act",
		"This ask is no longer open. There is no run": "",
		"Runs of letters and digits, since 14:42":     "",
	} {
		got := ""
		if found := find("page", text); len(found) > 0 {
			got = found[0].phrase
		}
		if got != want {
			t.Errorf("find(%q) = %q, want %q", text, got, want)
		}
	}
}
