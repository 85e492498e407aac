package handlers

import (
	"context"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/store"
)

var keptInput = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`)

// hidden are the fields that a page's form keeps, as a browser sends them.
func (a answer) hidden() url.Values {
	form := url.Values{}
	for _, m := range keptInput.FindAllStringSubmatch(a.body, -1) {
		form.Add(unescaped.Replace(m[1]), unescaped.Replace(m[2]))
	}
	return form
}

var unescaped = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'", "&amp;", "&")

// stale is long enough for every proof to be stale.
const stale = 11 * time.Minute

// TestStepUp holds that what matters takes a fresh proof, and that a form which was sent without
// one goes on whole once the proof is there.
func TestStepUp(t *testing.T) {
	c := newClub(t)
	ada, eve := c.person("ada"), c.person("eve")
	w := c.workspace("acme", ada)
	b := c.as(ada)
	b.post("/w/acme/settings/add", "email", eve.Email, "role", "viewer").leads(t, "/w/acme/settings?notice=member-added")
	c.must(c.store.RemoveMember(context.Background(), store.Act{At: c.at()}, w.ID, eve.ID))
	member := func() bool {
		_, err := c.store.Role(context.Background(), w.ID, eve.ID)
		return err == nil
	}

	c.now = c.now.Add(stale)
	odd := `<script>alert("1")</script>&amp;` + "\r\n€"
	page := b.post("/w/acme/settings/add", "email", eve.Email, "role", "viewer", "more", odd, "more", "two")
	page.says(t, 403, "confirm").has(t, "form[action=/w/acme/settings/add] input[name=confirm_password][type=password]")
	if member() || strings.Contains(page.body, "<script>alert") {
		t.Errorf("a member: %v; the page:\n%s", member(), page.body)
	}
	form := page.hidden()
	if form.Get("email") != eve.Email || form.Get("role") != "viewer" || strings.Join(form["more"], "|") != odd+"|two" || form.Get("confirm_person") != ada.ID {
		t.Errorf("the page keeps %v", form)
	}
	form.Set("confirm_password", "guess")
	again := b.send("POST", "/w/acme/settings/add", form.Encode())
	again.says(t, 422, "confirm-wrong-password").has(t, "input[name=confirm_password][aria-invalid=true]")
	if member() || strings.Contains(again.body, "guess") {
		t.Error("a wrong password lets somebody in, or stands on the page")
	}
	form = again.hidden()
	form.Set("confirm_password", secretWords)
	b.send("POST", "/w/acme/settings/add", form.Encode()).leads(t, "/w/acme/settings?notice=member-added")
	if !member() {
		t.Error("the form did not go on")
	}
	b.post("/w/acme/settings/role", "user", eve.ID, "role", "member").leads(t, "/w/acme/settings?notice=role-changed")
	c.now = c.now.Add(stale)
	b.post("/w/acme/settings/role", "user", eve.ID, "role", "admin").says(t, 403, "confirm")
}

// TestStepUpIsTheirs holds that a form which one person began does not go on as another's, and
// that guessing is limited.
func TestStepUpIsTheirs(t *testing.T) {
	c := newClub(t)
	ada, eve := c.person("ada"), c.person("eve")
	c.workspace("acme", ada)
	b := c.as(ada)
	c.now = c.now.Add(stale)
	b.post("/w/acme/settings/add", "email", eve.Email, "confirm_person", eve.ID, "confirm_password", secretWords).says(t, 422, "confirm-different-person")
	for range 10 {
		b.post("/w/acme/settings/add", "email", eve.Email, "confirm_password", "guess").says(t, 422)
	}
	got := b.post("/w/acme/settings/add", "email", eve.Email, "confirm_password", secretWords)
	got.says(t, 429, "confirm-too-often")
	if got.Header.Get("Retry-After") == "" || got.hidden().Get("email") != eve.Email {
		t.Error("it does not say when, or loses what was typed")
	}
}

// TestConfirm is the proof that a page or a program is led to beforehand.
func TestConfirm(t *testing.T) {
	c := newClub(t)
	b := c.as(c.person("ada"))
	b.get("/confirm?next=/settings").leads(t, "/settings")
	c.now = c.now.Add(stale)
	page := b.get("/confirm?next=/settings")
	page.says(t, 403, "confirm")
	if page.hidden().Get("next") != "/settings" || !strings.Contains(page.body, `action="/confirm"`) {
		t.Errorf("the page leads to %v", page.hidden())
	}
	b.post("/confirm", "next", "/settings").says(t, 403)
	b.post("/confirm", "next", "//evil.example", "confirm_password", "guess").says(t, 422)
	b.post("/confirm", "next", "//evil.example", "confirm_password", secretWords).leads(t, "/")
	b.post("/confirm", "next", "/settings").leads(t, "/settings")
	c.browser().get("/confirm").leads(t, "/sign-in?next=%2Fconfirm")
}

// TestStepUpElsewhere is for those who have nothing here to prove themselves with: they sign in
// again beside the page, and then go on with it.
func TestStepUpElsewhere(t *testing.T) {
	c := newClub(t)
	u := store.User{ID: store.NewID(), Email: "sso@example.org", Name: "Sso", Created: c.at()}
	c.must(c.store.AddUser(context.Background(), store.Act{At: c.at()}, u))
	eve := c.person("eve")
	c.workspace("acme", u)
	b := c.as(u)
	c.now = c.now.Add(stale)
	page := b.post("/w/acme/settings/add", "email", eve.Email, "role", "viewer")
	page.says(t, 403, "confirm-elsewhere").part(t, "form.card p", "confirm-again")
	if strings.Contains(page.body, `type="password"`) {
		t.Error("it asks for a password that there is not")
	}
	b.get("/sign-in?again=1").says(t, 200).has(t, "form[action=/sign-in]")
	form := page.hidden()
	form.Set("confirm_password", "")
	b.send("POST", "/w/acme/settings/add", form.Encode()).says(t, 403)
	b = c.as(u)
	b.send("POST", "/w/acme/settings/add", form.Encode()).leads(t, "/w/acme/settings?notice=member-added")
}
