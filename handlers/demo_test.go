package handlers

import (
	"context"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
)

// The demo comes once, for who runs the workspace, into each workspace that is empty, and leaves
// no token behind.
func TestDemo(t *testing.T) {
	c, ctx := newClub(t), context.Background()
	ana, ben, eve := c.person("ana"), c.person("ben"), c.person("eve")
	for _, slug := range []string{"one", "two"} {
		w := c.workspace(slug, ana)
		c.member(w, ben, store.Member)
		address := "/w/" + slug + "/demo"
		if r := c.as(ben).post(address); r.StatusCode != 403 {
			t.Errorf("a member fills %s: %d", slug, r.StatusCode)
		}
		if r := c.as(eve).post(address); r.StatusCode != 404 {
			t.Errorf("a stranger fills %s: %d", slug, r.StatusCode)
		}
		r := c.as(ana).post(address)
		if r.StatusCode != 303 || r.location() != "/w/"+slug+"/inbox" {
			t.Fatalf("filling %s = %d %s", slug, r.StatusCode, r.body)
		}
		agents, err := c.store.ListAgents(ctx, w.ID)
		c.must(err)
		if len(agents) != 3 {
			t.Fatalf("%s has %d agents", slug, len(agents))
		}
		for _, a := range agents {
			if a.Name == "Reconciliation" && (a.Counts.Jobs == 0 || a.Counts.Asks == 0 || a.Counts.Messages == 0 || a.Counts.Files < 5) {
				t.Errorf("%s came with %+v", a.Name, a.Counts)
			}
			if a.Name == "Reconciliation" && a.Counts.NeedsYou != 1 {
				t.Errorf("the sign-off that was raised again after changes were requested does not need a human: %+v", a.Counts)
			}
		}
		c.as(ana).post(address).says(t, 409, "demo-twice")
	}
	tokens, err := c.store.ListTokens(ctx, ana.ID)
	c.must(err)
	if len(tokens) != 2 {
		t.Errorf("%d tokens were made for two demos", len(tokens))
	}
	for _, token := range tokens {
		if token.Revoked == 0 {
			t.Errorf("the token of a demo is good still: %+v", token)
		}
	}
}

// heaviest is the limit for a page with the styles and every script that any page loads, in bytes, compressed. Scripts are
// served with the names that they are written with, which are about 1,600 of these bytes. All scripts count, also those that only
// some pages load (the inbox's list, reading mode, comments, the phone: about 10,000), 12,500 that come when someone selects a
// passage, 2,000 that come when someone goes to an agent, an ask or a page by typing, and 1,200 that complete filters and searches.
const heaviest = 100 << 10

// TestWeight weighs the first visit of every page of a workspace that holds the demo, with every
// file that any page refers to.
func TestWeight(t *testing.T) {
	c := newClub(t)
	ana := c.person("ana")
	c.workspace("acme", ana)
	b := c.as(ana)
	if r := b.post("/w/acme/demo"); r.StatusCode != 303 {
		t.Fatalf("filling = %d", r.StatusCode)
	}
	b.headers = map[string]string{"Accept-Encoding": "gzip"}
	files := 0
	for name := range c.h.Assets.Files {
		if strings.HasSuffix(name, ".png") { // only an installed app has its icons
			continue
		}
		file := b.get(c.h.Assets.Address(name))
		if file.StatusCode != 200 || file.Header.Get("Content-Encoding") != "gzip" {
			t.Errorf("%s = %d %v", name, file.StatusCode, file.Header)
		}
		files += len(file.body)
	}
	for _, path := range []string{"", "/inbox", "/activity", "/search?q=acme", "/connect", "/settings"} {
		page := b.get("/w/acme" + path)
		if page.StatusCode != 200 || page.Header.Get("Content-Encoding") != "gzip" {
			t.Errorf("%s = %d %v", path, page.StatusCode, page.Header)
		}
		t.Logf("/w/acme%s: %d bytes, %d of them the page", path, files+len(page.body), len(page.body))
		if files+len(page.body) > heaviest {
			t.Errorf("the first visit of %s weighs %d bytes, want at most %d", path, files+len(page.body), heaviest)
		}
	}
}
