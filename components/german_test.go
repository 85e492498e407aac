package components

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	catalogue "github.com/figs-web/figs-web/components/words"
)

// germanPages are all pages of the tests, in German, by what they are called. missed is told of
// what they say that has no German.
func germanPages(t *testing.T, missed func(english string)) map[string]string {
	german := catalogue.For("de").Translations()
	ctx := i18n.WithWords(i18n.WithLanguage(context.Background(), "de"), func(english string) (string, bool) {
		text, ok := german[english]
		if !ok {
			missed(english)
		}
		return text, ok
	})
	pages := map[string]string{}
	for _, path := range paths {
		_, pages[path] = render(t, ctx, path)
	}
	for _, path := range workspacePaths {
		_, page := renderWorkspace(t, ctx, acmeSite(""), newOffice(), path)
		pages["workspace "+path] = page
	}
	for _, path := range projectPaths {
		_, pages["project "+path] = renderProject(t, ctx, newProject(), pagetest.NewJournal(), path)
	}
	for _, a := range activities {
		pages["activity "+a.name] = renderActivity(t, ctx, a.query, a.trends())
	}
	for _, sc := range scenes() {
		sc.bare = true
		pages["scene "+sc.name] = play(t, ctx, sc, newOffice())
	}
	for _, p := range papers() {
		pages["paper "+p.name] = p.document(t, ctx)
	}
	for name, page := range onPeople(ctx, func(any) {}) {
		pages["people "+name] = drawnPage(t, ctx, page)
	}
	return pages
}

// notGerman are sentences that stay as they are wherever they stand.
var notGerman = map[string]bool{
	// Those of the tests, in place of what handlers say.
	"Fault.": true, "Archive an agent": true, "Your words are kept.": true, "Your verdict is recorded. The agent gets it with its next sync.": true,
	"This folder was opened from a zip file, so nothing can be appended to it. Type the command where the folder is.": true,
}

// TestGermanPages holds every page to German: nothing that is said lacks a translation, and no
// English sentence stands on a page beside what agents and people wrote.
func TestGermanPages(t *testing.T) {
	said := map[string]bool{}
	for _, other := range catalogue.For("de").Translations() {
		said[other] = true
	}
	missed := map[string]bool{}
	pages := germanPages(t, func(english string) {
		if !said[english] && !notGerman[english] && regexp.MustCompile(`[A-Za-z]{2}`).MatchString(english) {
			missed[english] = true
		}
	})
	for _, english := range slices.Sorted(maps.Keys(missed)) {
		t.Errorf("%q is said and is not in the German catalogue", english)
	}
	if len(pages) < 150 {
		t.Errorf("only %d pages were looked at", len(pages))
	}
	find := englishIn()
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		for n := range pagetest.Parse(t, pages[name]).Descendants() {
			for _, text := range ofOurs(n) {
				if english := find(text); english != "" {
					t.Errorf("%s: %q stands in %q", name, english, text)
				}
			}
		}
	}
}

// ofOurs are the texts of a node that we wrote: no agent's words, no code, nothing typed.
func ofOurs(n *html.Node) (texts []string) {
	switch {
	case n.Type == html.TextNode && !pagetest.Inside(n, "bdi", "code", "pre", "textarea", "script", "style") && !isolated(n.Data):
		texts = append(texts, strings.TrimSpace(n.Data))
	case n.Type == html.ElementNode:
		for _, a := range n.Attr {
			if slices.Contains([]string{"title", "aria-label", "placeholder", "alt"}, a.Key) && !strings.Contains(a.Val, "\u2068") {
				texts = append(texts, a.Val)
			}
		}
	}
	return texts
}

// least is how many bytes of an English sentence must stand somewhere to be found.
const least = 13

// englishIn returns what finds an English sentence of the catalogue, or a part of one between its
// verbs, in a text; "" when there is none.
func englishIn() func(text string) string {
	parts, begin := map[string]bool{}, map[string][]string{}
	between := regexp.MustCompile(`%[a-z]|\{\d\}`)
	germans := strings.Join(slices.Collect(maps.Values(catalogue.For("de").Translations())), "\n")
	for english := range catalogue.For("de").Translations() {
		for _, part := range between.Split(english, -1) {
			if part = strings.TrimSpace(part); len(part) >= least && !strings.Contains(germans, part) && !parts[part] {
				parts[part] = true
				begin[part[:least]] = append(begin[part[:least]], part)
			}
		}
	}
	return func(text string) string {
		for i := 0; i+least <= len(text); i++ {
			for _, part := range begin[text[i:i+least]] {
				if strings.HasPrefix(text[i:], part) {
					return part
				}
			}
		}
		return ""
	}
}

// TestGermanEscapes holds that another language changes nothing of how a page is escaped.
func TestGermanEscapes(t *testing.T) {
	evil := i18n.WithWords(context.Background(), func(string) (string, bool) { return `<b onclick="x">"'&`, true })
	for _, path := range paths[:8] {
		_, page := render(t, evil, path)
		if strings.Contains(page, "<b onclick") || !strings.Contains(page, "&lt;b onclick=") {
			t.Errorf("%s: the words of a catalogue are not escaped", path)
		}
	}
}

// TestTongue holds numbers, times and the language of the document to the reader's language.
func TestTongue(t *testing.T) {
	for _, test := range []struct{ code, language, number, size, long, short, ago string }{
		{"", "en", "1,234,567", "1.1 KB", "Friday 20 November 2026, 16:05:09 UTC", "5 Mar", "32 h ago"},
		{"de", "de", "1.234.567", "1,1 KB", "Freitag, 20. November 2026, 16:05:09 UTC", "5. März", "vor 32 h"},
		{"xx", "en", "1,234,567", "1.1 KB", "Friday 20 November 2026, 16:05:09 UTC", "5 Mar", "32 h ago"},
	} {
		ctx, site := i18n.WithLanguage(context.Background(), test.code), ui.Site{Now: pagetest.At("2026-11-22T00:05:09Z")}
		instant := pagetest.At("2026-11-20T16:05:09Z")
		got := []string{i18n.Language(ctx), i18n.Number(ctx, 1234567), i18n.ByteSize(ctx, 1061), site.Exact(ctx, instant), i18n.Date(ctx, site.Local(pagetest.At("2026-03-05T00:00:00Z")), "2 Jan"), site.Relative(ctx, instant)}
		if want := []string{test.language, test.number, test.size, test.long, test.short, test.ago}; !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", test.code, got, want)
		}
	}
	if got := i18n.Number(i18n.WithLanguage(context.Background(), "de"), -1234); got != "-1.234" {
		t.Errorf("grouped(-1234) = %q", got)
	}
}

// TestDocumentLanguage holds that a page says which language it is in.
func TestDocumentLanguage(t *testing.T) {
	for _, code := range []string{"en", "de"} {
		var b strings.Builder
		if err := ui.Document(pagetest.Site(), "title").Render(i18n.WithLanguage(context.Background(), code), &b); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), `<html lang="`+code+`"`) {
			t.Errorf("a page in %s does not say so", code)
		}
	}
}
