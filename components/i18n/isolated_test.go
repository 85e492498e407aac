package i18n_test

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
)

// TestSentenceIsolatesNames has names that are written from right to left, that hold controls which turn what follows
// them, that are markup or very long, in the middle of sentences. None changes the text around it.
func TestSentenceIsolatesNames(t *testing.T) {
	const sentence = "Reported: {0} asked for changes {1}:"
	for _, name := range []string{
		"شركة الأمل", "דוד", "Ana \u202eanA\u202c", "\u2067turned\u2069\u2069", "\u200fRight", "{1}", "%s %d", "<b>bold</b>", "</bdi>", strings.Repeat("Bartholomäus", 60),
	} {
		for code, want := range map[string][3]string{
			"en":    {"Reported: ", " asked for changes ", ":"},
			"de":    {"Gemeldet: ", " verlangte Änderungen ", ":"},
			"en-XA": {"⟦Ŕéþóŕţéð: ", " àšķéð ƒóŕ çĥàñĝéš ", ": óéîàû óéîàû⟧"},
		} {
			var b strings.Builder
			if err := i18n.Sentence(sentence, agenttext.Line(name), agenttext.Line("today")).Render(i18n.WithLanguage(context.Background(), code), &b); err != nil {
				t.Fatal(err)
			}
			page, err := html.Parse(strings.NewReader("<!DOCTYPE html><p>" + b.String()))
			if err != nil {
				t.Fatal(err)
			}
			var names, ours []string
			for n := range page.Descendants() {
				switch {
				case n.Type == html.ElementNode && n.Data == "bdi":
					names = append(names, text(n))
				case n.Type == html.ElementNode && n.Data == "b":
					t.Errorf("%s: %q is markup", code, name)
				case n.Type == html.TextNode && n.Parent.Data == "p":
					ours = append(ours, strings.TrimPrefix(n.Data, "…")) // of a name that was cut
				}
			}
			if strings.Join(ours, "|") != strings.Join(want[:], "|") || len(names) != 2 || names[1] != "today" {
				t.Errorf("%s: with the name %q, %q is said around %q", code, name, ours, names)
			}
			if strings.ContainsAny(b.String(), "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200f\u200e") {
				t.Errorf("%s: the controls of the name %q are in the page", code, name)
			}
			if len(names) > 0 && len(name) > agenttext.TitleBytes && (len(names[0]) > agenttext.TitleBytes || !strings.Contains(b.String(), "…")) {
				t.Errorf("%s: a name of %d bytes is not cut: %q", code, len(name), names[0])
			}
		}
	}
}

// text is all text of an element.
func text(n *html.Node) (all string) {
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			all += d.Data
		}
	}
	return all
}
