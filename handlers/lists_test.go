package handlers

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/internal/store"
)

// TestListFiles: what the filter leaves comes as a file, to whoever sees the page; a cell can't be a formula.
func TestListFiles(t *testing.T) {
	c := newClub(t)
	ada, bob := c.person("ada"), c.person("bob")
	w := c.workspace("acme", ada)
	c.member(w, bob, store.Viewer)
	b := c.as(ada)
	if err := c.store.SetUserName(t.Context(), store.Act{By: bob.ID}, bob.ID, `=HYPERLINK("x")`); err != nil {
		t.Fatal(err)
	}
	file := b.get("/w/acme/settings?q=role:viewer&format=csv&after=x&sort=-joined")
	if got := strings.Split(file.body, "\n"); len(got) != 3 || got[0] != "name,email,role,joined" || !strings.HasPrefix(got[1], `"'=HYPERLINK(""x"")",bob@example.org,viewer,20`) {
		t.Errorf("the file is %q", file.body)
	}
	if kind := file.Header.Get("Content-Type"); kind != "text/csv; charset=utf-8" || !strings.Contains(file.Header.Get("Content-Disposition"), `filename="members.csv"`) {
		t.Errorf("it comes as %q, %q", kind, file.Header.Get("Content-Disposition"))
	}
	var rows []map[string]string
	if err := json.Unmarshal([]byte(b.get("/w/acme/settings?format=json").body), &rows); err != nil || len(rows) != 2 || rows[0]["role"] != "viewer" {
		t.Errorf("%v, %v", rows, err)
	}
	if err := json.Unmarshal([]byte(b.get("/w/acme/settings/audit?q=action:member.set+by:ada&format=json").body), &rows); err != nil || len(rows) == 0 || rows[0]["action"] != "member.set" {
		t.Errorf("%v, %v", rows, err)
	}
	v := c.as(bob)
	v.get("/w/acme/settings?format=csv").says(t, http.StatusOK)
	v.get("/w/acme/decisions?format=csv").says(t, http.StatusOK)
	if a := v.get("/w/acme/settings/audit?format=csv"); a.StatusCode != http.StatusForbidden || strings.Contains(a.body, "member.set") {
		t.Errorf("a viewer gets the audit log: %d %s", a.StatusCode, a.body)
	}
	if a := c.as(c.person("eve")).get("/w/acme/settings?format=csv"); a.StatusCode != http.StatusNotFound {
		t.Errorf("a stranger gets %d", a.StatusCode)
	}
}

// TestListQueries: whatever an address asks of a list, it is answered with a page.
func TestListQueries(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	c.workspace("acme", ada)
	b := c.as(ada)
	for _, page := range []string{"/w/acme/settings", "/w/acme/settings/agents", "/w/acme/settings/audit", "/w/acme/decisions", "/w/acme/news", "/w/acme/settings/feedback", "/w/acme/reports", "/w/acme/reports/28/decisions", "/w/acme/reports/91/open", "/w/acme/reports/364/people", "/settings/tokens", "/settings/signing-in"} {
		for _, q := range []string{"q=%27%3B+DROP+TABLE+members--", "q=" + strings.Repeat("x", 5000), "q=%00%ff%22", "sort=nonsense", "sort=-", "after=%00", "after=zzz.YQ.YQ", "before=-zz..", "n=-1", "n=99999999999999999999",
			"columns=,,x&columns=name", "q=when:%3E9999-12+by:", "q=when:yesterday", "q=-by:ada", "format=exe", "q=%E2%80%AEevil"} {
			if a := b.get(page + "?" + q); a.StatusCode != http.StatusOK {
				t.Errorf("%s?%s = %d", page, q, a.StatusCode)
			}
		}
	}
}

// TestSavedViews: a view is its person's unless an admin saves it for everyone.
func TestSavedViews(t *testing.T) {
	c := newClub(t)
	ada, bob := c.person("ada"), c.person("bob")
	w := c.workspace("acme", ada)
	c.member(w, bob, store.Viewer)
	a, b := c.as(ada), c.as(bob)
	query := url.Values{"q": {"role:owner"}, "after": {"1.YQ.YQ"}}.Encode()
	b.post("/w/acme/views", "list", "members", "name", " My  owners ", "query", query).leads(t, "/w/acme/settings?q=role%3Aowner&notice=view-saved")
	b.get("/w/acme/settings?q=role%3Aowner&notice=view-saved").shows(t, "My owners").has(t, `.list .filter[aria-current=page]`)
	if strings.Contains(a.get("/w/acme/settings").body, "My owners") {
		t.Error("another member sees it")
	}
	if got := b.post("/w/acme/views", "list", "members", "name", "x", "query", "", "shared", "1"); got.StatusCode != http.StatusForbidden {
		t.Errorf("a viewer saves it for everyone: %d", got.StatusCode)
	}
	a.post("/w/acme/views", "list", "members", "name", "<b>All</b>", "query", "", "shared", "1").leads(t, "/w/acme/settings?notice=view-saved")
	page := b.get("/w/acme/settings").shows(t, "&lt;b&gt;All&lt;/b&gt;")
	shared := ""
	for _, form := range pagetest.All(pagetest.Parse(t, a.get("/w/acme/settings").body), "form[action=/w/acme/views/remove] input[name=id]") {
		shared = pagetest.Attr(form, "value")
	}
	if n := len(pagetest.All(pagetest.Parse(t, page.body), "form[action=/w/acme/views/remove]")); n != 1 {
		t.Errorf("a viewer may remove %d views, want their own", n)
	}
	b.post("/w/acme/views/remove", "list", "members", "id", shared).leads(t, "/w/acme/settings?notice=view-removed")
	b.get("/w/acme/settings").shows(t, "&lt;b&gt;All&lt;/b&gt;")
	for _, name := range []string{"", "  ", strings.Repeat("x", 61)} {
		b.post("/w/acme/views", "list", "members", "name", name, "query", "").leads(t, "/w/acme/settings?notice=view-name")
	}
	if got := b.post("/w/acme/views", "list", "../../settings", "name", "x"); got.StatusCode != http.StatusNotFound {
		t.Errorf("a view of no list: %d", got.StatusCode)
	}
	for _, query := range []string{"%zz", "q=" + strings.Repeat("x", 20_000)} {
		if got := b.post("/w/acme/views", "list", "members", "name", "x", "query", query); got.StatusCode != http.StatusBadRequest {
			t.Errorf("a query that no page has: %d", got.StatusCode)
		}
	}
}

// TestSavedViewsOfPages: the inbox and the org chart have saved views with all parameters that they know, also beside an ask.
func TestSavedViewsOfPages(t *testing.T) {
	w := newTown(t)
	type saved struct{ list, query, at string }
	for _, s := range []saved{
		{"inbox", "type=sign-off&tab=waiting&everybody=1&after=x&notice=view-removed", "/w/acme/inbox?everybody=1&tab=waiting&type=sign-off"},
		{"chart", "sort=-needs&as=table&department=Sales+%26+more&q=is%3Aneeds", "/w/acme?as=table&department=Sales+%26+more&q=is%3Aneeds&sort=-needs"},
	} {
		form := url.Values{"list": {s.list}, "name": {"View of " + s.list}, "query": {s.query}}
		w.post("/w/acme/views", "owner", form.Encode()).leads(t, s.at+"&notice=view-saved")
		w.get(s.at+"&notice=view-saved", "owner").shows(t, "View saved.", "View of "+s.list).has(t, ".filters .filter[aria-current=page]")
	}
	w.get("/w/acme/inbox", "owner").has(t, ".filters .filter").has(t, "form[action=/w/acme/views] input[name=query]")
	beside := "/w/acme/agents/" + acmeAgent + "/asks/ask-1?list=everybody%3D1"
	w.get(beside, "owner").has(t, ".panes-list .filters .filter")
}

// TestSuggestedNames: a name that a list's filter suggests finds rows.
func TestSuggestedNames(t *testing.T) {
	w := newTown(t)
	w.pushes(w.rowsOf(acmeAgent, 0, 4, "Theirs"), hostedNow.UnixMicro()-3_000_000_000)
	w.decideAll(acmeAgent, 0, 4)
	seen := map[string]bool{}
	for _, at := range []string{"/w/acme/decisions", "/w/acme/settings/audit", "/w/acme/news"} {
		page := w.get(at, "admin")
		for _, option := range pagetest.All(pagetest.Parse(t, page.body), "datalist option") {
			value := pagetest.Attr(option, "value")
			name, _, _ := strings.Cut(value, ":")
			if name != "by" && name != "agent" {
				continue
			}
			seen[at+" "+name] = true
			if found := w.get(at+"?q="+url.QueryEscape(value), "admin").body; len(pagetest.All(pagetest.Parse(t, found), ".list-table td")) == 0 {
				t.Errorf("%s suggests %s, which finds nothing", at, value)
			}
		}
	}
	for _, want := range []string{"/w/acme/decisions by", "/w/acme/decisions agent", "/w/acme/settings/audit by"} {
		if !seen[want] {
			t.Errorf("not suggested: %s", want)
		}
	}
}
