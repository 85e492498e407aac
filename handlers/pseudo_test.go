package handlers

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/internal/store"
)

// TestPseudoPages follows every link from the inbox of a workspace with the demo, and finds text that no translation
// reaches.
func TestPseudoPages(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	c.workspace("acme", ada)
	c.must(c.store.SetOperator(context.Background(), store.Act{At: c.at()}, ada.ID, true))
	b, stranger := c.as(ada), c.browser()
	b.post("/w/acme/demo")
	b.headers = map[string]string{"Accept-Language": "en-XA"}
	stranger.headers = b.headers
	for _, address := range []string{"/sign-in", "/sign-in/recovery", "/reset?key=x", "/setup?key=x", "/nothing", "/rules", "/rules/line_torn"} {
		checkPseudo(t, stranger, address)
	}
	ways := []string{"/w/acme/inbox", "/settings", "/admin", "/device", "/w/acme/none", "/w/acme/search?q=statement"}
	seen := map[string]bool{}
	for len(ways) > 0 && len(seen) < 1000 {
		address := ways[0]
		ways = ways[1:]
		if seen[address] {
			continue
		}
		seen[address] = true
		ways = append(ways, checkPseudo(t, b, address)...)
	}
	if len(seen) < 60 {
		t.Errorf("only %d pages were looked at", len(seen))
	}
	t.Log(len(seen), "pages")
}

// checkPseudo looks at one page, and returns where its links lead.
func checkPseudo(t *testing.T, b *browser, address string) (links []string) {
	t.Helper()
	got := b.get(address)
	if !strings.HasPrefix(got.Header.Get("Content-Type"), "text/html") || got.location() != "" {
		return nil
	}
	root := pagetest.Parse(t, got.body)
	if !strings.Contains(got.body, `<html lang="en-XA"`) {
		t.Errorf("%s is not in pseudo-English", address)
	}
	for _, text := range pagetest.Untranslated(root) {
		t.Errorf("%s: %q is not translated", address, text)
	}
	for _, a := range pagetest.All(root, "a[href]") {
		to, err := url.Parse(pagetest.Attr(a, "href"))
		at, _ := url.Parse(address)
		if sort := to.Query().Get("sort"); err != nil || to.IsAbs() || sort != "" && sort != "cost" { // the same words in another order
			continue
		}
		to = at.ResolveReference(to)
		to.Fragment = ""
		if strings.HasPrefix(to.Path, "/w/") || strings.HasPrefix(to.Path, "/settings") || strings.HasPrefix(to.Path, "/admin") {
			links = append(links, to.String())
		}
	}
	return links
}
