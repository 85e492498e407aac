package handlers

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// decideAs approves an ask in somebody's name, a minute after it was asked, and settles that.
func decideAs(c *club, workspace, ask string, by store.User) {
	c.t.Helper()
	ctx, at := context.Background(), c.at()
	pushAsk(c.t, c.store, workspace, acmeAgent, at-60_000_000, fmt.Sprintf(`{"id":%q,"type":"sign-off","ts":%q,"title":"=Pay %s"}`, ask, c.now.Add(-60e9).Format("2006-01-02T15:04:05Z"), ask))
	x, err := c.store.Record(ctx, acmeAgent, figs.Asks, ask)
	c.must(err)
	line, wrong := figs.Verdict(figs.Fold([][]byte{x.Fold}), figs.ReplyInput{ID: "reply-" + ask, By: by.Name, TS: c.now.Format("2006-01-02T15:04:05Z"), Verdict: "changes-requested", Text: "@wrong month"})
	if wrong != figs.ReplyOK {
		c.t.Fatal(wrong)
	}
	_, err = c.store.Decide(ctx, store.Act{By: by.ID, At: at}, store.DecisionInput{Workspace: workspace, Agent: acmeAgent, Ask: ask, Line: line, Key: "form " + ask, Saw: store.View{Revision: store.RevisionOf(x)}})
	c.must(err)
	_, err = c.store.Settle(ctx, at+store.UndoWindow)
	c.must(err)
}

// TestReportsRights: owners see everyone's figures, members their own, viewers none; and no one any if the workspace
// switched them off. A filter can't ask for what a page hides.
func TestReportsRights(t *testing.T) {
	c := newClub(t)
	ada, bob, cleo, vic := c.person("ada"), c.person("bob"), c.person("cleo"), c.person("vic")
	w := c.workspace("acme", ada)
	c.member(w, bob, store.Admin)
	c.member(w, cleo, store.Admin)
	c.member(w, vic, store.Viewer)
	decideAs(c, w.ID, "first", bob)
	decideAs(c, w.ID, "second", cleo)
	pushAsk(t, c.store, w.ID, acmeAgent, c.at(), `{"id":"open","type":"question","ts":"2026-11-20T10:00:00Z","title":"?"}`)
	const page = "/w/acme/reports"
	type row struct {
		person store.User
		sees   []string // in the lists of people
		hides  []string
		lists  bool
	}
	check := func(what string, rows []row) {
		t.Helper()
		for _, r := range rows {
			b := c.as(r.person)
			b.get(page).says(t, http.StatusOK).shows(t, "@wrong month")
			texts := map[string]string{}
			for _, list := range []string{"people?format=csv", "reviewers?format=csv", "decisions?format=csv&columns=personid,person", "open?format=csv"} {
				a := b.get(page + "/28/" + list)
				if listed := a.StatusCode == http.StatusOK; listed != (r.lists || !strings.HasPrefix(list, "people") && !strings.HasPrefix(list, "reviewers")) {
					t.Errorf("%s: %s of %s is %d", what, list, r.person.Name, a.StatusCode)
				}
				texts[list] = a.body
			}
			all := fmt.Sprint(texts)
			for _, name := range r.sees {
				if !strings.Contains(texts["people?format=csv"], name) {
					t.Errorf("%s: %s doesn't see %s", what, r.person.Name, name)
				}
			}
			for _, hidden := range r.hides {
				if strings.Contains(all, hidden) {
					t.Errorf("%s: %s sees %s in %s", what, r.person.Name, hidden, all)
				}
			}
			for _, other := range []store.User{bob, cleo} {
				got := strings.Count(b.get(page+"/28/decisions?format=csv&q=personid:"+other.ID).body, "\n") - 1
				want := 0
				for _, name := range r.sees {
					if name == other.Name {
						want = 1
					}
				}
				if r.lists && got != want {
					t.Errorf("%s: %s finds %d decisions of %s, want %d", what, r.person.Name, got, other.Name, want)
				}
			}
		}
	}
	check("at first", []row{{ada, []string{bob.Name, cleo.Name}, nil, true}, {bob, []string{bob.Name}, []string{cleo.Name, cleo.ID}, true}, {vic, nil, []string{bob.Name, bob.ID, cleo.Name, cleo.ID}, false}})
	c.must(c.store.SetPolicy(t.Context(), store.Act{By: ada.ID, At: c.at()}, w.ID, store.Policy{HidePeople: true}, true))
	hidden := []string{bob.Name, bob.ID, cleo.Name, cleo.ID}
	check("switched off", []row{{ada, nil, hidden, false}, {bob, nil, hidden, false}, {vic, nil, hidden, false}})
	if audit := c.as(ada).get("/w/acme/settings/audit"); !strings.Contains(audit.body, "reports have no figures about people") {
		t.Error("the audit log doesn't say that they were switched off")
	}
	c.as(c.person("eve")).get(page).says(t, http.StatusNotFound)
}

// TestReportLists: each number leads to as many rows, and files have no formulas.
func TestReportLists(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	w := c.workspace("acme", ada)
	for i := range 3 {
		decideAs(c, w.ID, fmt.Sprint("ask-", i), ada)
	}
	b := c.as(ada)
	for list, want := range map[string]int{"decisions?": 3, "decisions?q=outcome:changes": 3, "decisions?q=outcome:approved": 0, "decisions?q=minutes:1": 3, "decisions?q=minutes:>1": 0,
		"decisions?q=round:1+agentid:" + acmeAgent: 3, "decisions?q=when:>2026-11-19+when:<2026-11-21": 3, "decisions?q=when:>2026-11-20": 0, "agents?": 1, "people?": 1, "weeks?": 4, "failures?": 0, "open?": 0} {
		if got := strings.Count(b.get("/w/acme/reports/28/"+strings.ReplaceAll(strings.ReplaceAll(list, ">", "%3E"), "<", "%3C")+"&format=csv").body, "\n") - 1; got != want {
			t.Errorf("%s has %d rows, want %d", list, got, want)
		}
	}
	file := b.get("/w/acme/reports/28/decisions?format=csv").body
	if !strings.Contains(file, "'=Pay ask-1,changes") || !strings.Contains(file, "'@wrong month") || strings.Contains(file, "\n=") {
		t.Errorf("the file is %s", file)
	}
	page := b.get("/w/acme/reports?days=91")
	page.says(t, http.StatusOK).has(t, ".report-bar", ".report-why", `a[href=/w/acme/reports/91/agents]`)
	for _, missing := range []string{"/29/decisions", "/028/decisions", "/28/nothing", "/28/decisions/x"} {
		if a := b.get("/w/acme/reports" + missing); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s = %d", missing, a.StatusCode)
		}
	}
}
