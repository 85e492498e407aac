package handlers

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/internal/listquery"
	"github.com/figs-web/figs-web/internal/store"
)

// What tokens may change: neither a session nor a stranger may, and whose it is not finds nothing.
var (
	keepers  = answers{401, 403, 403, 403, 403, 403, 201, 404, 403} // a draft: whose token is of somebody who may reply
	tellers  = answers{401, 403, 403, 403, 403, 403, 201, 201, 201} // feedback
	theirs   = answers{401, 404, 404, 404, 404, 200, 200, 404, 404} // what is the owner's alone
	enders   = answers{401, 403, 403, 403, 403, 403, 204, 404, 404} // the end of that
	removers = answers{303, 404, 403, 403, 403, 303, 303, 303, 303} // what an owner alone may send
)

// toolRows are the rows of the routes by which tools keep something, and of the page on what they say.
func toolRows(w *town) map[string]hostedRow {
	const v1 = "/api/v1/workspaces/acme/agents/" + acmeAgent
	err := w.s.SaveDraft(context.Background(), store.Draft{Person: w.people["owner"].ID, Workspace: w.acme.ID, Agent: acmeAgent, Ask: "pay", Text: "as typed", At: 7})
	w.ok(err)
	var list struct{ Items []struct{ ID string } }
	if err := json.NewDecoder(w.ask("GET", v1+"/asks/pay/drafts", "token-owner", "").Body).Decode(&list); err != nil || len(list.Items) != 1 {
		w.t.Fatalf("the owner's drafts are %+v, %v", list, err)
	}
	draft, page, drafts := v1+"/asks/pay/drafts/"+list.Items[0].ID, hostedKinds["page"], "/api/v1/workspaces/:workspace/agents/:agent/asks/:id/drafts"
	return map[string]hostedRow{
		"GET " + drafts:                {v1 + "/asks/send/drafts", "", nil, readable},
		"POST " + drafts:               {v1 + "/asks/send/drafts", `{"chosen":"Yes"}`, nil, keepers},
		"GET " + drafts + "/:draft":    {draft, "", nil, theirs},
		"DELETE " + drafts + "/:draft": {draft, "", nil, enders},
		"GET /api/v1/tokens":           {"/api/v1/tokens", "", nil, answers{401, 200, 200, 200, 200, 200, 200, 200, 200}},
		"GET /api/v1/tokens/:id":       {"/api/v1/tokens/spare", "", nil, theirs},
		"DELETE /api/v1/tokens/:id":    {"/api/v1/tokens/spare", "", nil, enders},
		"POST /api/v1/feedback":        {"/api/v1/feedback", `{"text":"x"}`, nil, tellers},
		"GET /api/v1/workspaces/:workspace/agents/:agent/files/:id/content": {v1 + "/files/report.html/content", "", nil, readable},
		"POST /mcp/:workspace":                        {"/mcp/acme", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil, answers{401, 403, 403, 403, 403, 403, 200, 404, 200}},
		"GET /w/:workspace/settings/feedback":         {"/w/acme/settings/feedback", "", page, running},
		"POST /w/:workspace/settings/feedback/remove": {"/w/acme/settings/feedback/remove", "id=x", page, removers},
	}
}

// call sends JSON with a token.
func (c *club) call(method, address, token, body string) answer {
	c.t.Helper()
	r := httptest.NewRequest(method, c.origin+address, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	c.routes.ServeHTTP(w, r)
	return answer{w.Result(), w.Body.String()}
}

// token is a new one of somebody's.
func (c *club) token(u store.User) string {
	c.t.Helper()
	secret := "secret-" + store.NewID()
	c.must(c.store.AddToken(context.Background(), store.Act{By: u.ID, At: c.at()}, store.Token{ID: store.NewID(), User: u.ID, Name: "t", Hash: store.Hash(secret), Created: c.at()}))
	return secret
}

// loggedIn is the token that a client gets which a person lets in.
func (c *club) loggedIn(u store.User) string {
	c.t.Helper()
	var begun struct {
		Device string `json:"device_code"`
		User   string `json:"user_code"`
	}
	c.must(json.Unmarshal([]byte(c.call("POST", "/api/device/start", "", "{}").body), &begun))
	c.must(c.store.DecideDevice(context.Background(), store.Act{By: u.ID, At: c.at()}, begun.User, &store.TokenGrant{}))
	var got struct{ Token string }
	c.must(json.Unmarshal([]byte(c.call("POST", "/api/device/poll", "", `{"device_code":"`+begun.Device+`"}`).body), &got))
	return got.Token
}

// TestDraftOfAProgram: it stands in the form of the page, which says whose words these are, and only the
// person's pressing a button makes a decision of it.
func TestDraftOfAProgram(t *testing.T) {
	c := newCouncil(t)
	b := c.as(c.bo)
	for ask, test := range map[string]struct {
		token, body, name string
	}{
		"which": {c.token(c.bo), `{"chosen":"Monthly","text":"As <b>last</b> year"}`, "draft-of-program"},
		"send":  {c.loggedIn(c.bo), `{"verdict":"approved","text":"All is well"}`, "draft-of-program-approves"},
	} {
		at := "/api/v1" + strings.Replace(askPages, "/w/", "/workspaces/", 1) + ask + "/drafts"
		if got := c.call("POST", at, test.token, test.body); got.StatusCode != http.StatusCreated {
			t.Fatalf("%s: %d %s", ask, got.StatusCode, got.body)
		}
		page := b.get(askPages + ask)
		page.says(t, 200, test.name).has(t, "#decide [data-draft-note] time")
		var sent struct{ Text, Chosen string }
		c.must(json.Unmarshal([]byte(test.body), &sent))
		if page.typed() != sent.Text || sent.Chosen != "" && !strings.Contains(page.body, `value="`+sent.Chosen+`" checked`) {
			t.Errorf("%s: the form says %q: %s", ask, page.typed(), page.words())
		}
		if got := c.call("POST", askPages+ask+"/decide", test.token, ""); got.StatusCode < 300 || c.pending(ask) != nil {
			t.Errorf("%s: the token decides: %d", ask, got.StatusCode)
		}
		c.wait(20_000_000_000)
		if b.get(askPages + ask); c.pending(ask) != nil || len(c.replies(ask)) != 0 {
			t.Errorf("%s: the draft has become a reply", ask)
		}
		if other := c.as(c.ada).get(askPages+ask).lacks(t, "#deciding .done"); strings.Contains(other.body, sent.Text) {
			t.Errorf("%s: another sees the draft", ask)
		}
	}
	page := c.decide(b, "which", "chosen", "Monthly", "text", "Yes, monthly")
	if page.StatusCode != http.StatusSeeOther || c.pending("which") == nil {
		t.Errorf("the person decides: %d", page.StatusCode)
	}
	if got := c.call("GET", "/api/v1"+strings.Replace(askPages, "/w/", "/workspaces/", 1)+"which/drafts", c.token(c.bo), ""); !strings.Contains(got.body, `"total":0`) {
		t.Errorf("the draft stays: %s", got.body)
	}
	b.post(askPages+"send/draft", c.form(b, "send", "text", "my own words")...).leads(t, askPages+"send?notice=draft-saved#decide")
	if page := b.get(askPages+"send").lacks(t, "#deciding .done"); page.typed() != "my own words" {
		t.Errorf("what was typed is taken for a program's: %s", page.words())
	}
}

// TestFeedbackPage shows to those who run the workspace what tools have sent, as a stranger's words.
func TestFeedbackPage(t *testing.T) {
	c := newCouncil(t)
	adam := c.person("adam")
	c.member(c.acme, adam, store.Admin)
	ada, admin := c.as(c.ada), c.as(adam)
	ada.get("/w/acme/settings/feedback").says(t, 200).part(t, ".nothing", "feedback-none")
	ada.get("/w/acme/settings").says(t, 200).part(t, "#feedback p", "feedback-card-none")
	if got := c.call("POST", "/api/v1/feedback", c.token(c.vi), `{"text":"<script>alert(1)</script>\u202e broke\nhere","tool":"<i>figs-web","version":"1.2","context":"figs-web ls <x>"}`); got.StatusCode != http.StatusCreated {
		t.Fatalf("%d %s", got.StatusCode, got.body)
	}
	page := ada.get("/w/acme/settings/feedback")
	page.says(t, 200).shows(t, "&lt;script&gt;alert(1)&lt;/script&gt;", "U+202E", "&lt;i&gt;figs-web", "1.2", "figs-web ls &lt;x&gt;").has(t, "form[action=/w/acme/settings/feedback/remove]").part(t, "#feedback li .dots", "feedback-row").part(t, "#feedback li div.small.soft", "feedback-context")
	if strings.Contains(page.body, "<script>alert") || strings.Contains(page.body, "\u202e") {
		t.Error("the page shows it raw")
	}
	ada.get("/w/acme/settings").says(t, 200).part(t, "#feedback p", "feedback-card-one")
	looking := admin.get("/w/acme/settings/feedback")
	looking.says(t, 200).shows(t, "figs-web ls")
	if strings.Contains(looking.body, "feedback/remove") {
		t.Error("an admin may remove it")
	}
	for _, u := range []store.User{c.bo, c.vi} {
		c.as(u).get("/w/acme/settings/feedback").says(t, 403)
		c.as(u).get("/w/acme/settings").lacks(t, "#feedback")
	}
	list, err := c.store.ListFeedback(context.Background(), c.acme.ID)
	c.must(err)
	admin.post("/w/acme/settings/feedback/remove", "id", list[0].ID).says(t, 403)
	ada.headers = map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
	ada.post("/w/acme/settings/feedback/remove", "id", list[0].ID).says(t, 403)
	ada.headers = nil
	for range 2 {
		ada.post("/w/acme/settings/feedback/remove", "id", list[0].ID).leads(t, "/w/acme/settings/feedback?notice=feedback-removed")
	}
	ada.get("/w/acme/settings/feedback?notice=feedback-removed").says(t, 200, "feedback-removed").part(t, ".nothing", "feedback-none")
	ada.get("/w/acme/settings").says(t, 200)
	ada.get("/w/acme/settings/audit").part(t, "#audit tbody th", "audit-feedback")

	for range listquery.PageSize + 1 {
		c.must(c.store.AddFeedback(context.Background(), store.Feedback{ID: store.NewID(), Workspace: c.acme.ID, Person: c.bo.ID, Text: "x", At: c.at()}))
	}
	first := ada.get("/w/acme/settings/feedback")
	first.says(t, 200).has(t, "a[rel=next]").shows(t, "1 to 50 of 51")
	second := ada.get(pagetest.Attr(pagetest.All(pagetest.Parse(t, first.body), "a[rel=next]")[0], "href"))
	second.says(t, 200).has(t, "a[rel=prev]").part(t, "#feedback li .title", "feedback-nameless")
	if strings.Count(first.body, "feedback/remove") != listquery.PageSize || strings.Count(second.body, "feedback/remove") != 1 {
		t.Error("the pages do not share the messages")
	}
	for _, query := range []string{"from=900", "after=x", "before=99999999999999999999"} { // the first page
		ada.get("/w/acme/settings/feedback?"+query).says(t, 200).has(t, "a[rel=next]").lacks(t, "a[rel=prev]")
	}
}
