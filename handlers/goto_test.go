package handlers

import (
	"context"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
)

var gotoLink = regexp.MustCompile(`<a class="goto-link" href="([^"]*)"`)

func (w *town) goTo(who, query string) string {
	w.t.Helper()
	r := w.ask("GET", "/w/acme/go?"+query, who, "")
	if r.StatusCode != 200 {
		w.t.Fatalf("%s gets %d for %s", who, r.StatusCode, query)
	}
	return text(w.t.(*testing.T), r)
}

// destinations are the links that a person finds, on the page or in the list for the dialog.
func (w *town) destinations(who, query string) (links []string) {
	w.t.Helper()
	for _, m := range gotoLink.FindAllStringSubmatch(w.goTo(who, query), -1) {
		links = append(links, html.UnescapeString(m[1]))
	}
	return links
}

// TestGoToLeadsWhereOneMay tests that everyone is offered only pages that they may open, and that the dialog's list has what
// the page has.
func TestGoToLeadsWhereOneMay(t *testing.T) {
	w := newTown(t)
	count := map[string]int{}
	for _, who := range []string{"viewer", "member", "admin", "owner"} {
		if who == "owner" {
			w.ok(w.s.SetOperator(context.Background(), store.Act{At: hostedNow.UnixMicro()}, w.people["owner"].ID, true))
		}
		links := w.destinations(who, "")
		if list := w.destinations(who, "as=list"); !slices.Equal(links, list) {
			t.Errorf("the dialog of %s lists %q, the page %q", who, list, links)
		}
		count[who] = len(links)
		for _, link := range links {
			path, _, _ := strings.Cut(link, "#")
			if r := w.ask("GET", path, who, ""); r.StatusCode != 200 {
				t.Errorf("%s is sent to %s, which answers %d", who, link, r.StatusCode)
			}
		}
	}
	if count["viewer"] != count["member"] || count["admin"] != count["member"]+2 || count["owner"] != count["admin"]+1 {
		t.Errorf("pages by role: %v; want two more for admins (audit, feedback), one more for operators", count)
	}
	for query, want := range map[string]string{"q=memb": "/w/acme/settings", "q=pass": "/settings/signing-in", "q=org+ch": "/w/acme"} {
		if links := w.destinations("viewer", query); !slices.Contains(links, want) {
			t.Errorf("%s leads to %q, without %s", query, links, want)
		}
	}
	if links := w.destinations("viewer", "q=audit"); len(links) != 1 {
		t.Errorf("a viewer finds %q for the audit log", links)
	}
}

// TestGoToRecords tests that agents are found by name and asks by title and id, with whatever an agent has written in them.
func TestGoToRecords(t *testing.T) {
	w := newTown(t)
	agent := func(n int, name, ask string) string {
		id := fmt.Sprintf("0d4f2a3c-1111-4222-8333-0000000000%02d", n)
		r := w.ask("POST", "/api/ingest", "token-owner", fmt.Sprintf(`{"workspaceId":%q,"agent":{"id":%q,"name":%q,"org":{"department":"D%d"}},"asks":[%s]}`, w.acme.ID, id, name, n, ask))
		if r.StatusCode != 200 {
			t.Fatal(r.StatusCode, text(t, r))
		}
		return "/w/acme/agents/" + id
	}
	long := strings.Repeat("Long name ", 1000)
	first := agent(31, "Twin", `{"id":"odd/ask 1","type":"question","title":"<b>Which</b> zebra?","to":"manager","ts":"2026-11-20T10:00:00Z"}`)
	second := agent(32, "Twin", "")
	bidi := agent(33, "Evil \u202egnp.exe", "")
	agent(34, long, "")
	if links := w.destinations("viewer", "q=twin"); len(links) != 3 || links[0] != first || links[1] != second || links[2] != "/w/acme/search?q=twin" {
		t.Errorf("two agents of one name are found as %q", links)
	}
	page := w.goTo("viewer", "as=list&q=twin")
	if !strings.Contains(page, "D31") || !strings.Contains(page, "D32") {
		t.Errorf("agents of one name don't show their departments:\n%s", page)
	}
	if page = w.goTo("viewer", "as=list&q=evil"); !strings.Contains(page, bidi) || strings.Contains(page, "\u202e") {
		t.Errorf("an agent's name turns the text around:\n%s", page)
	}
	if page = w.goTo("viewer", "as=list&q=long"); len(page) > 4000 || !strings.Contains(page, "Long name") {
		t.Errorf("a name of 10,000 characters makes a list of %d", len(page))
	}
	for _, words := range []string{"zebr", "which zebra", "odd/ask 1", "ask"} {
		links := w.destinations("viewer", "as=list&q="+url.QueryEscape(words))
		if !slices.ContainsFunc(links, func(l string) bool { return strings.HasPrefix(l, first+"/asks/~") }) {
			t.Errorf("%q leads to %q, without the ask", words, links)
		}
		for _, link := range links {
			if r := w.ask("GET", link, "viewer", ""); r.StatusCode != 200 {
				t.Errorf("%q leads to %s, which answers %d", words, link, r.StatusCode)
			}
		}
	}
	if links := w.destinations("viewer", "as=list&q="+strings.Repeat("x", 5000)); len(links) != 1 {
		t.Errorf("a text of 5,000 letters leads to %q", links)
	}
	if page = w.goTo("viewer", "as=list&q=%22%3E%3Cscript%3E"); strings.Contains(page, "<script") || strings.Contains(page, "<html") {
		t.Errorf("what is typed becomes markup:\n%s", page)
	}
}
