package components

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/lessons"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

// TestGermanRules holds what the rules say to German, wherever it stands: no English sentence is left of it.
func TestGermanRules(t *testing.T) {
	pages := germanPages(t, func(string) {})
	ctx := i18n.WithLanguage(context.Background(), "de")
	for code := range figs.Codes() {
		_, pages["rule "+code.String()] = render(t, ctx, "/rules/"+code.String())
	}
	find, n := englishIn(), 0
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		for node := range pagetest.Parse(t, pages[name]).Descendants() {
			if node.Type != html.ElementNode || !pagetest.Matches(node, ".ours") || pagetest.Has(node, "lang") {
				continue
			}
			n++
			if english := find(textOf(node)); english != "" {
				t.Errorf("%s: %q stands in %q", name, english, textOf(node))
			}
		}
	}
	if n < 2*int(figs.Codes()) {
		t.Errorf("only %d sentences of rules were looked at", n)
	}
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.TrimSpace(b.String())
}

// TestGermanSentences says in German what packages that know no language say of rules, receipts and files.
func TestGermanSentences(t *testing.T) {
	ctx := i18n.WithLanguage(context.Background(), "de")
	for _, english := range sentencesOfPackages(t) {
		if german := i18n.Rule(ctx, english); german == english && english != "" {
			t.Errorf("%q has no German", english)
		}
	}
	if page := drawn(t, ctx, ui.RuleText("“a file” is not a valid verdict.")); !strings.Contains(page, "„a file“ ist kein gültiges Urteil.") {
		t.Errorf("RuleText wrote %q", page)
	}
}

// sentencesOfPackages are the lessons, and what receipts and odd files bring about.
func sentencesOfPackages(t *testing.T) (all []string) {
	for _, lesson := range lessons.All() {
		all = append(all, lesson.Title, lesson.Why)
	}
	for _, text := range []string{"", "{}", `{"format":"figs-web-receipt/1"}`, `{"format":"figs-web-receipt/9"}`, strings.Repeat("x", 17<<20)} {
		if _, err := receipt.Read([]byte(text)); err != nil {
			problem := receipt.ProblemOf(err)
			all = append(all, problem.Sentence, problem.Hint)
		}
	}
	for _, r := range []receipt.Report{
		{Compared: true, Ask: receipt.MatchDiffers, Fields: []string{"a", "b"}, Message: receipt.MatchDiffers, Files: []receipt.Match{receipt.MatchDiffers}, Redacted: true},
		{Compared: true, Ask: receipt.MatchMissing, Signature: receipt.SignatureBad, Message: receipt.MatchMissing, Files: []receipt.Match{receipt.MatchMissing}},
		{Signature: receipt.SignatureGood}, {Signature: receipt.SignatureGood, Accepted: true}, {Other: true}, {Large: true},
	} {
		all = slices.Concat(all, []string{r.Sentence()}, r.Faults(), r.Limits())
	}
	for name, content := range map[string]string{
		"a.html": strings.Repeat("<div>", 5000), "a.json": "{\"a\": 1\n\"b\"", "a.svg": "<svg", "a.png": "GIF89a", "a.md": strings.Repeat("> ", 400) + "x", "a.txt": "a\x00b\xff", "a.csv": "\xff\xfea", "a.pdf": "x", "a.zip": "x", "a.jpg": "",
	} {
		for _, n := range sandbox.Render(name, []byte(content), report.Rendered, report.Offline()).Notices {
			all = append(all, n.Text)
		}
		all = append(all, sandbox.Read(name, []byte(content), report.Offline()).Unread)
	}
	return all
}
